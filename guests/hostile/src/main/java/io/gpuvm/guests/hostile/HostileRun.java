package io.gpuvm.guests.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.hostile.HostileReport.CaseResult;
import io.gpuvm.guests.hostile.HostileReport.FloodResult;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.LiveGuest;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.VmSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Run of one backend, one real guest with work, and hostile guests beside it. Each case has a
/// separate virtual machine. The attack of a case is repeated until its process is killed, at a
/// random time after the end of the first attack.
///
/// Confined to the thread that calls [#run].
public final class HostileRun {
    /// Options of a run.
    ///
    /// @param cases names of [HostileCase], as on command lines
    /// @param floods names of [Flood]
    /// @param engine option that selects the backend's execution mode
    /// @param turns number of turns of each flood and its comparison load
    /// @param half duration of half a turn
    /// @param seed seed of the random kill times
    public record Options(
            List<String> cases,
            List<String> floods,
            ExecutionModeOption engine,
            int turns,
            Duration half,
            long seed,
            boolean keepFiles) {
        /// Returns options for all cases and floods.
        ///
        /// @param turns number of turns of each flood and its comparison load
        /// @param half duration of half a turn
        public static Options all(long seed, int turns, Duration half) {
            return new Options(
                    caseNames(), floodNames(), new ExecutionModeOption(), turns, half, seed, false);
        }
    }

    private static final String KERNEL = "6.12";
    private static final VmSpec NEIGHBOUR = VmSpec.parse("neighbour", "mode=fv,vram=192M", KERNEL);
    private static final String HOSTILE_VM = "mode=fv,vram=64M";
    private static final int HOSTILE_MIB = 64;
    private static final int NEIGHBOUR_MIB = 192;

    /// Timeout of the neighbour, longer than all cases and floods together.
    private static final Duration NEIGHBOUR_LIMIT = Duration.ofMinutes(30);

    private static final Duration BOOT_LIMIT = Duration.ofMinutes(3);
    private static final Duration CASE_LIMIT = Duration.ofMinutes(2);
    private static final Duration SWEEP_LIMIT = Duration.ofMinutes(2);
    private static final Duration COUNTERS_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int LONGEST_LIFE_MS = 500;

    private final Options options;
    private final GuestFiles files;
    private final RunListener listener;
    private final RunFolder folder;
    private final Children children = new Children();
    private final Random random;
    private volatile JsonNode counters;

    private HostileRun(Options options, GuestFiles files, RunListener listener) {
        this.options = options;
        this.files = files;
        this.listener = listener;
        this.folder = new RunFolder(options.keepFiles());
        this.random = new Random(options.seed());
    }

    /// Returns the names of all cases.
    public static List<String> caseNames() {
        return List.of(HostileCase.values()).stream().map(HostileCase::text).toList();
    }

    /// Returns the names of all floods.
    public static List<String> floodNames() {
        return List.of(Flood.values()).stream().map(Flood::text).toList();
    }

    /// Runs all cases and floods of the options. The kernel must have been prepared. No process and
    /// no socket is left when this method returns or throws, or when a signal terminates the JVM.
    ///
    /// @throws IllegalArgumentException if a name is unknown
    /// @throws IllegalStateException if the backend or the real guest does not start, or an attack
    ///   cannot be performed
    public static HostileReport run(Options options, GuestFiles files, RunListener listener)
            throws InterruptedException {
        HostileRun run = new HostileRun(options, files, listener);
        try (AtEnd _ = new AtEnd(run::end)) {
            return run.run();
        }
    }

    private void end() {
        children.close();
        folder.close();
    }

    private HostileReport run() throws InterruptedException {
        List<HostileCase> cases = options.cases().stream().map(HostileCase::named).toList();
        List<Flood> floods = options.floods().stream().map(Flood::named).toList();
        GpuServer server = startServer(cases, floods);
        listener.onProgress("neighbour: powering on");
        CopyRate rate = new CopyRate(listener);
        LiveGuest neighbour =
                LiveGuest.powerOn(
                        NEIGHBOUR,
                        RunOptions.of(KERNEL, "stream")
                                .withArguments(
                                        "seconds=100000",
                                        "vram-mib=24",
                                        "gart-mib=16",
                                        "progress-ms=200")
                                .withTimeout(NEIGHBOUR_LIMIT),
                        files,
                        folder,
                        children,
                        rate);
        neighbour.await(GuestEvent.Progress.class, BOOT_LIMIT);

        List<List<String>> found = new ArrayList<>();
        for (HostileCase each : cases) {
            found.add(tryCase(each, neighbour));
        }
        List<FloodResult> flooded = new ArrayList<>();
        for (Flood flood : floods) {
            listener.onProgress("flood: " + flood.text());
            flooded.add(
                    new FloodMeasure(flood, options, folder, children, server.pid(), rate)
                            .measure(vmName(flood.text())));
        }
        List<String> failures = new ArrayList<>();
        awaitSweep(neighbour, failures);
        failures.addAll(neighbour.verdict().failures());
        neighbour.kill();
        if (server.stop().isMissingNode()) {
            failures.add("the backend ended without a summary");
        }
        return report(cases, found, flooded, failures, neighbour);
    }

    private GpuServer startServer(List<HostileCase> cases, List<Flood> floods)
            throws InterruptedException {
        List<VmSpec> vms = new ArrayList<>();
        cases.forEach(each -> vms.add(hostile(each.text())));
        floods.forEach(each -> vms.add(hostile(each.text())));
        int mib = vms.size() * HOSTILE_MIB + NEIGHBOUR_MIB;
        vms.add(NEIGHBOUR);
        listener.onProgress("starting a backend for %d virtual machines".formatted(vms.size()));
        return GpuServer.start(
                new ServerSpec.Backend(
                        options.engine().in("soft,vram=%dM".formatted(mib)), "backoff"),
                vms,
                folder,
                children,
                new RunListener() {
                    @Override
                    public void onEvent(String vm, GuestEvent event) {
                        listener.onEvent(vm, event);
                    }

                    @Override
                    public void onProgress(String text) {
                        listener.onProgress(text);
                    }

                    @Override
                    public void onCounters(JsonNode summary) {
                        counters = summary;
                    }
                });
    }

    private static VmSpec hostile(String name) {
        return VmSpec.parse(vmName(name), HOSTILE_VM, KERNEL);
    }

    /// Returns the name of the virtual machine of a case or flood. The name is short because Linux
    /// truncates thread names to 15 bytes.
    private static String vmName(String name) {
        List<String> all = new ArrayList<>(caseNames());
        all.addAll(floodNames());
        return "h-%02d".formatted(all.indexOf(name));
    }

    /// @return failures of the case
    private List<String> tryCase(HostileCase each, LiveGuest neighbour)
            throws InterruptedException {
        listener.onProgress("%s: %s".formatted(each.text(), each.description()));
        String vm = vmName(each.text());
        String where = neighbourOf(vm).toText();
        String socket = folder.socket(vm).toString();
        HostileProcess dying =
                HostileProcess.start(children, folder, "case", each.name(), socket, where);
        dying.awaitFirstAttack(CASE_LIMIT);
        Thread.sleep(random.nextInt(LONGEST_LIFE_MS));
        List<String> failures = new ArrayList<>(HostileProcess.findings(dying.kill()));
        if (neighbour.hasEnded()) {
            failures.add("the neighbour ended during case " + each.text());
        }
        failures.forEach(failure -> listener.onProgress("  FAILED: " + failure));
        return failures;
    }

    private Victim neighbourOf(String vm) throws InterruptedException {
        long deadlineNs = System.nanoTime() + COUNTERS_LIMIT.toNanos();
        while (counters == null) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "the backend has printed no counters, limit=%d s"
                                .formatted(COUNTERS_LIMIT.toSeconds()));
            }
            Thread.sleep(POLL);
        }
        return Victim.of(share(vm), share(NEIGHBOUR.name()));
    }

    private Victim.Share share(String vm) {
        for (JsonNode each : counters.path("vms")) {
            if (each.path("name").asText().equals(vm)) {
                JsonNode share = each.path("share");
                return new Victim.Share(
                        share.path("vramBase").asLong(),
                        share.path("vramBytes").asLong(),
                        share.path("memoryIova").asLong(),
                        share.path("arenaIova").asLong());
            }
        }
        throw new IllegalStateException("the backend's counters lack virtual machine " + vm);
    }

    /// Waits until the neighbour has completed another check of all of its memory.
    private void awaitSweep(LiveGuest neighbour, List<String> failures)
            throws InterruptedException {
        listener.onProgress("waiting for the neighbour to check all of its memory");
        long wanted = progressOf(neighbour, "sweeps") + 2;
        try {
            neighbour.await(
                    GuestEvent.Progress.class,
                    progress -> progress.name().equals("sweeps") && progress.count() >= wanted,
                    SWEEP_LIMIT);
        } catch (IllegalStateException e) {
            failures.add(e.getMessage());
        }
    }

    private static long progressOf(LiveGuest guest, String name) {
        long last = 0;
        for (GuestEvent event : guest.events()) {
            if (event instanceof GuestEvent.Progress progress && progress.name().equals(name)) {
                last = progress.count();
            }
        }
        return last;
    }

    private HostileReport report(
            List<HostileCase> cases,
            List<List<String>> found,
            List<FloodResult> floods,
            List<String> failures,
            LiveGuest neighbour) {
        ServerLog log = ServerLog.read(folder.serverLog());
        List<CaseResult> results = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            HostileCase each = cases.get(i);
            List<String> lines = log.about(vmName(each.text()));
            List<String> wrong = new ArrayList<>(found.get(i));
            wrong.addAll(each.wrongIn(lines));
            results.add(new CaseResult(each.text(), each.description(), 2, wrong, lines));
        }
        List<FloodResult> finished = new ArrayList<>();
        for (FloodResult flood : floods) {
            finished.add(flood.withLog(log.about(vmName(flood.name()))));
        }
        failures.addAll(log.errors());
        return new HostileReport(
                results,
                finished,
                failures,
                progressOf(neighbour, "copies"),
                progressOf(neighbour, "sweeps"));
    }
}
