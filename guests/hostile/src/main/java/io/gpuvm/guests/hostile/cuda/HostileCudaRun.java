package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Hostile CUDA clients on a backend, beside two programs that verify their results all the time:
/// one in the same virtual machine, one in another. Confined to the thread that calls [#run].
public final class HostileCudaRun {
    /// Action of a part.
    @FunctionalInterface
    private interface Part {
        void run(HostileGround ground, Findings findings) throws InterruptedException;
    }

    private static final String BACKEND_KILLED = "backend-killed";
    private static final Map<String, Part> PARTS = parts();
    private static final Pattern ERROR =
            Pattern.compile("^\\S+ ERROR |^Exception |^java\\.lang\\.");
    private static final int SHOWN_LINES = 3;
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final HostileSettings settings;
    private final Consumer<String> progress;
    private final RunFolder folder;
    private final Children children = new Children();
    private final List<CudaProgram> neighbours = new ArrayList<>();
    private final List<HostileCudaReport.Part> results = new ArrayList<>();
    private HostileGround ground;
    private long verified;
    private long longestMs;

    /// Number of lines of the backend's log that have been checked.
    private int checkedLines;

    private HostileCudaRun(HostileSettings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
        folder = new RunFolder(settings.keep());
    }

    private static Map<String, Part> parts() {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("tags", RingAttack::tags);
        parts.put("connect", RingAttack::connect);
        parts.put("numbers", RingAttack::numbers);
        parts.put("heads", RingAttack::heads);
        parts.put("arguments", RingAttack::arguments);
        parts.put("handles", HandleAttack::run);
        parts.put("ranges", RangeAttack::run);
        parts.put("fences", FenceAttack::run);
        parts.put("modules", ModuleAttack::run);
        parts.put("ptx", PtxAttack::run);
        parts.put("garbage", GarbageAttack::run);
        parts.put("memory", MemoryAttack::run);
        parts.put("sessions", SessionChurn::run);
        parts.put("client-killed", KillParts::clients);
        parts.put("forks", KillParts::forks);
        parts.put(BACKEND_KILLED, (_, _) -> {});
        return parts;
    }

    /// Returns the names of all parts.
    public static List<String> names() {
        return List.copyOf(PARTS.keySet());
    }

    /// Runs parts. No process and no socket is left when this method returns or throws.
    ///
    /// @param names names of the parts
    /// @param progress receives descriptions of the progress
    /// @throws IllegalArgumentException if a name is unknown
    /// @throws IllegalStateException if the backend does not start
    static HostileCudaReport run(
            List<String> names, HostileSettings settings, Consumer<String> progress)
            throws InterruptedException {
        for (String name : names) {
            if (!PARTS.containsKey(name)) {
                throw new IllegalArgumentException(
                        "part=%s, expected one of %s".formatted(name, String.join(", ", names())));
            }
        }
        HostileCudaRun run = new HostileCudaRun(settings, progress);
        try (AtEnd _ =
                new AtEnd(() -> {
                    run.children.close();
                    run.folder.close();
                })) {
            return run.runAll(names);
        }
    }

    private HostileCudaReport runAll(List<String> names) throws InterruptedException {
        progress.accept("seed=%d, files in %s".formatted(settings.seed(), folder.path()));
        CudaPrograms programs = CudaPrograms.build(folder, children);
        ground =
                new HostileGround(
                        CudaServer.start(folder, children), programs, settings, this::residents);
        startNeighbours();
        for (String name : names) {
            runPart(name);
        }
        List<String> failures = new ArrayList<>();
        neighbours.forEach(this::end);
        if (!ground.server().stop()) {
            failures.add("the backend does not end");
        }
        failures.addAll(newErrors());
        return new HostileCudaReport(
                settings.seed(),
                settings.negative(),
                names.containsAll(names()),
                results,
                longestMs,
                verified,
                failures);
    }

    /// Returns the number of programs beside the hostile clients in their virtual machine.
    private long residents() {
        return neighbours.stream().limit(1).filter(CudaProgram::isAlive).count();
    }

    private void startNeighbours() throws InterruptedException {
        for (String vm : List.of(CudaServer.HOSTILE, CudaServer.NEIGHBOUR)) {
            List<String> arguments = new ArrayList<>(List.of(String.valueOf(settings.seed())));
            if (settings.negative()) {
                arguments.add("negative");
            }
            neighbours.add(
                    ground.programs()
                            .start(
                                    CudaPrograms.NEIGHBOUR,
                                    ground.server().socket(vm),
                                    arguments.toArray(String[]::new)));
        }
        for (CudaProgram neighbour : neighbours) {
            neighbour.awaitLines(1);
        }
    }

    private void runPart(String name) throws InterruptedException {
        progress.accept(name);
        long startNs = System.nanoTime();
        Findings findings = new Findings();
        try {
            if (name.equals(BACKEND_KILLED)) {
                runWithoutNeighbours(findings);
            } else {
                PARTS.get(name).run(ground, findings);
            }
        } catch (RuntimeException e) {
            findings.add("%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
        }
        checkNeighbours(findings);
        checkBackend(findings);
        double seconds = Math.round((System.nanoTime() - startNs) / NS_PER_S * 10) / 10.0;
        results.add(new HostileCudaReport.Part(name, seconds, findings.failures()));
        findings.failures().forEach(failure -> progress.accept("  " + failure));
    }

    /// Runs the part that kills the backend, with which its neighbours end.
    private void runWithoutNeighbours(Findings findings) throws InterruptedException {
        checkNeighbours(findings);
        neighbours.forEach(this::end);
        neighbours.clear();
        longestMs = KillParts.backends(ground, findings);
        startNeighbours();
    }

    private void end(CudaProgram neighbour) {
        verified += neighbour.lines();
        try {
            neighbour.kill();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Checks that each neighbour verifies further results.
    private void checkNeighbours(Findings findings) throws InterruptedException {
        for (CudaProgram neighbour : neighbours) {
            findings.check(
                    neighbour.awaitLines(neighbour.lines() + 2),
                    "no further result: " + neighbour.complaint());
        }
    }

    private void checkBackend(Findings findings) {
        if (!ground.server().isAlive()) {
            findings.add("the backend has ended");
            return;
        }
        for (String vm : List.of(CudaServer.HOSTILE, CudaServer.NEIGHBOUR)) {
            long dropped = ground.server().counters(vm).path("pv").path("dropped").asLong();
            findings.check(
                    dropped == 0, "%s: sessions with internal errors=%d".formatted(vm, dropped));
        }
        findings.addAll(newErrors());
    }

    /// Returns lines of the backend's log with errors of the backend itself that are new.
    private List<String> newErrors() {
        List<String> lines = RunFolder.tail(folder.serverLog(), Integer.MAX_VALUE);
        List<String> errors =
                lines.subList(Math.min(checkedLines, lines.size()), lines.size()).stream()
                        .filter(line -> ERROR.matcher(line).find())
                        .limit(SHOWN_LINES)
                        .toList();
        checkedLines = lines.size();
        return errors;
    }
}
