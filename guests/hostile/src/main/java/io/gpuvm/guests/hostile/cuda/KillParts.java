package io.gpuvm.guests.hostile.cuda;

import java.util.Random;

/// Ends of processes at random moments: of CUDA programs, and of the backend.
final class KillParts {
    /// Greatest life of a process after its start or its first calls, in milliseconds.
    private static final int LIFE_MS = 400;

    /// Number of programs whose backend is killed at the same time.
    private static final int SURVIVORS = 2;

    private static final String LONGEST = "longest ";

    private KillParts() {}

    /// Kills programs, one at a time: the backend releases their sessions.
    static void clients(HostileGround ground, Findings findings) throws InterruptedException {
        Random random = ground.random("client-killed");
        for (int i = 0; i < ground.settings().kills(); i++) {
            CudaProgram program =
                    ground.programs()
                            .start(
                                    CudaPrograms.VICTIM,
                                    ground.socket(),
                                    String.valueOf(random.nextInt(Integer.MAX_VALUE)));
            Thread.sleep(random.nextInt(LIFE_MS));
            if (ground.settings().negative()) {
                Waiting.until(() -> ground.clients() > 0);
            } else {
                findings.check(program.isAlive(), program.complaint());
                program.kill();
            }
            findings.check(
                    ground.settings().negative() ? ground.clients() == 0 : ground.awaitClients(0),
                    "kill %d: the session of the killed program is open".formatted(i));
            program.kill();
        }
        ground.awaitClients(0);
    }

    /// Kills the backend beside programs: their calls fail in time, and the next backend serves new
    /// programs.
    ///
    /// @return longest time of a call after the end of the backend, in milliseconds
    static long backends(HostileGround ground, Findings findings) throws InterruptedException {
        Random random = ground.random("backend-killed");
        long longest = 0;
        for (int i = 0; i < ground.settings().kills(); i++) {
            CudaProgram[] survivors = new CudaProgram[SURVIVORS];
            for (int n = 0; n < SURVIVORS; n++) {
                survivors[n] =
                        ground.programs()
                                .start(
                                        CudaPrograms.SURVIVOR,
                                        ground.socket(),
                                        String.valueOf(random.nextInt(Integer.MAX_VALUE)));
            }
            for (CudaProgram survivor : survivors) {
                findings.check(survivor.awaitLines(1), survivor.complaint());
            }
            Thread.sleep(random.nextInt(LIFE_MS));
            if (!ground.settings().negative()) {
                ground.server().kill();
            }
            for (CudaProgram survivor : survivors) {
                if (ground.settings().negative()) {
                    findings.check(!survivor.isAlive(), "the backend was not killed");
                    survivor.kill();
                } else {
                    longest = Math.max(longest, end(ground, survivor, findings));
                }
            }
            if (!ground.settings().negative()) {
                ground.server().start();
            }
        }
        return longest;
    }

    /// Waits for the end of a program whose backend is dead.
    ///
    /// @return longest time of one of its calls, in milliseconds
    private static long end(HostileGround ground, CudaProgram survivor, Findings findings)
            throws InterruptedException {
        int status = survivor.awaitEnd();
        String last = survivor.lastLine();
        if (status != 0 || !last.startsWith(LONGEST)) {
            survivor.kill();
            findings.add(
                    "exit status %d after the end of the backend: %s"
                            .formatted(status, survivor.complaint()));
            return 0;
        }
        long longest = Long.parseLong(last.substring(LONGEST.length()));
        findings.check(
                longest <= ground.settings().longestMs(),
                "a call took %d ms after the end of the backend, limit=%d"
                        .formatted(longest, ground.settings().longestMs()));
        return longest;
    }

    /// Creates processes in programs with an open session. A child does not keep the session of its
    /// parent, and the parent's calls proceed.
    static void forks(HostileGround ground, Findings findings) throws InterruptedException {
        for (String kind : new String[] {"fork", "vfork", "exec"}) {
            boolean replaces = kind.equals("exec");
            CudaProgram program =
                    ground.programs().start(CudaPrograms.FORKS, ground.socket(), kind);
            boolean said = program.awaitLines(replaces ? 1 : 2);
            findings.check(said, kind + ": " + program.complaint());
            ProcessHandle child = childOf(program, replaces);
            if (!replaces && !ground.settings().negative()) {
                program.kill();
            }
            boolean released =
                    ground.settings().negative()
                            ? !replaces && ground.clients() == 0
                            : ground.awaitClients(0);
            findings.check(released, kind + ": the session is open after the end of the program");
            findings.check(
                    child == null || child.isAlive(),
                    kind + ": the child has ended before the check");
            if (child != null) {
                child.destroyForcibly();
            }
            program.kill();
        }
        ground.awaitClients(0);
    }

    /// Returns the child that a program has created; null for the program itself.
    private static ProcessHandle childOf(CudaProgram program, boolean replaces) {
        return replaces
                ? null
                : ProcessHandle.of(program.pid())
                        .flatMap(parent -> parent.children().findFirst())
                        .orElse(null);
    }
}
