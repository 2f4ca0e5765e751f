package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Sessions that are opened, and killed at random moments: processes of programs in C, and
/// connections of this process. Afterwards, no resource of the backend is in use.
final class SessionChurn {
    /// Number of sessions at the same time.
    private static final int CONCURRENT = 4;

    /// Greatest life of a session, in milliseconds: up to the loading of libraries, to the first
    /// calls, or to a time of many calls.
    private static final int[] LIVES_MS = {5, 40, 150};

    /// VRAM of a context and its launches, and of the program beside it, at most.
    private static final long OVERHEAD = 24 << 20;

    /// More contexts than a session can have.
    private static final int MOST_CONTEXTS = 1024;

    private SessionChurn() {}

    static void run(HostileGround ground, Findings findings) throws InterruptedException {
        Random random = ground.random("sessions");
        // The first sessions load classes, compile methods and fill caches.
        churn(ground, random, 2 * CONCURRENT);
        check(ground, findings, ground.awaitClients(0));
        long contexts = contexts(ground, findings);
        check(ground, findings, ground.awaitClients(0));
        ServerUse before = ServerUse.of(ground.server());
        long connections = connections(ground);
        HostileSession kept = ground.settings().negative() ? ground.connect() : null;
        churn(ground, random, ground.settings().sessions());
        boolean ended = ground.awaitClients(kept == null ? 0 : 1);
        check(ground, findings, ended);
        long opened = connections(ground) - connections;
        findings.check(
                opened >= ground.settings().sessions() / 4,
                "sessions=%d, expected at least %d"
                        .formatted(opened, ground.settings().sessions() / 4));
        findings.addAll(ServerUse.of(ground.server()).leaksSince(before));
        long contextsAfterwards = contexts(ground, findings);
        findings.check(
                contextsAfterwards == contexts,
                "contexts of a session=%d, before=%d".formatted(contextsAfterwards, contexts));
        if (kept != null) {
            kept.close();
        }
    }

    private static void check(HostileGround ground, Findings findings, boolean ended) {
        findings.check(ended, "open sessions=%d, expected=0".formatted(ground.clients()));
    }

    private static long connections(HostileGround ground) {
        return ground.server().counters(CudaServer.HOSTILE).path("connections").asLong();
    }

    private static void churn(HostileGround ground, Random random, int count)
            throws InterruptedException {
        int left = count;
        while (left > 0) {
            int now = Math.min(left, CONCURRENT);
            List<CudaProgram> programs = new ArrayList<>();
            for (int i = 0; i < now; i++) {
                if (random.nextInt(4) == 0) {
                    abandon(ground, random);
                } else {
                    programs.add(
                            ground.programs()
                                    .start(
                                            CudaPrograms.VICTIM,
                                            ground.socket(),
                                            String.valueOf(random.nextInt(Integer.MAX_VALUE))));
                }
            }
            for (CudaProgram program : programs) {
                Thread.sleep(random.nextInt(LIVES_MS[random.nextInt(LIVES_MS.length)]));
                program.kill();
            }
            left -= now;
        }
    }

    /// Opens a session in this process, and ends its connection after some calls without waiting.
    private static void abandon(HostileGround ground, Random random) {
        try (HostileSession session =
                HostileSession.open(ground.socket(), HostileSession.DATA_BYTES)) {
            if (random.nextInt(4) == 0) {
                return;
            }
            session.connect();
            int contexts = 1 + random.nextInt(4);
            for (long context = 1; context <= contexts; context++) {
                session.send(new CudaCall.CtxCreate(context, 0, 0, context));
                session.send(HostileModule.load(session, context, context, HostileModule.CUBIN));
            }
            for (int i = random.nextInt(60); i > 0; i--) {
                long context = 1 + random.nextInt(contexts);
                long address = HostileSession.DATA_ADDRESS;
                switch (random.nextInt(8)) {
                    case 0 ->
                            session.send(
                                    new CudaCall.MemAlloc(context, 1 + random.nextInt(1 << 24)));
                    case 1 -> session.send(new CudaCall.CtxDestroy(context));
                    case 2 ->
                            session.send(
                                    HostileModule.launch(
                                            context, HostileModule.ADD, context, address, 1));
                    case 3 ->
                            session.send(new CudaCall.MemsetD8Async(address, 1, 1 << 20, context));
                    case 4 ->
                            session.send(
                                    new CudaCall.StreamCreateWithPriority(context, 10L + i, 0, 0));
                    case 5 -> session.send(new CudaCall.LaunchHostFunc(context));
                    case 6 -> session.send(new CudaCall.EventCreate(context, 10L + i, 0));
                    default -> session.send(new CudaCall.StreamSynchronize(context));
                }
            }
        }
    }

    /// Opens contexts, for which channels and address spaces are needed, until one is refused. Then
    /// checks that all VRAM of the virtual machine is free.
    ///
    /// @return number of contexts
    private static long contexts(HostileGround ground, Findings findings) {
        try (HostileSession session = ground.connect()) {
            long opened = 0;
            while (opened < MOST_CONTEXTS && hasRoom(session, opened + 1)) {
                opened++;
            }
            for (long context = 2; context <= opened; context++) {
                session.send(new CudaCall.CtxDestroy(context));
            }
            findings.expect(
                    "all of the VRAM",
                    session.call(new CudaCall.MemAlloc(1, CudaServer.VRAM_BYTES - OVERHEAD)),
                    CudaStatus.SUCCESS);
            long free = session.call(new CudaCall.MemGetInfo(1)).first();
            findings.check(free <= OVERHEAD, "free VRAM=%d, limit=%d".formatted(free, OVERHEAD));
            return opened;
        }
    }

    private static boolean hasRoom(HostileSession session, long context) {
        return session.call(new CudaCall.CtxCreate(context, 0, 0, context)).status()
                == CudaStatus.SUCCESS;
    }
}
