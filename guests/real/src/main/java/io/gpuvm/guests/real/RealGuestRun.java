package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Run of a server and guests. Starts them, collects the guests' events, ends all processes, and
/// checks the results.
///
/// Confined to the thread that calls [#run]; reader threads only fill the queue.
public final class RealGuestRun {
    private final RunOptions options;
    private final GuestFiles files;
    private final RunListener listener;
    private final RunFolder folder;
    private final Children children = new Children();
    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    private final Map<String, Guest> guests = new LinkedHashMap<>();

    private static final double NS_PER_SECOND = 1e9;

    /// Line of a guest's output; `line` is null at the end of the output.
    ///
    /// @param ns time at which the line arrived, by [System#nanoTime()]
    private record Report(String vm, String line, long ns) {
        Report(String vm, String line) {
            this(vm, line, System.nanoTime());
        }
    }

    /// State of a guest.
    private static final class Guest {
        final GuestMachine machine;
        final long startNs = System.nanoTime();
        final List<GuestEvent> events = new ArrayList<>();
        final GuestTimeline timeline = new GuestTimeline();
        final List<String> failures = new ArrayList<>();
        long endNs;

        Guest(GuestMachine machine) {
            this.machine = machine;
        }

        boolean running() {
            return endNs == 0;
        }

        /// Returns the time since power-on, in seconds.
        double secondsUntil(long ns) {
            return (ns - startNs) / NS_PER_SECOND;
        }
    }

    private RealGuestRun(RunOptions options, GuestFiles files, RunListener listener) {
        this.options = options;
        this.files = files;
        this.listener = listener;
        this.folder = new RunFolder(options.keepFiles());
    }

    /// Runs all guests to completion. The kernels must have been prepared. No process and no socket
    /// is left when this method returns or throws, or when a signal terminates the JVM.
    ///
    /// @throws IllegalStateException if the server does not start
    public static RunReport run(RunOptions options, GuestFiles files, RunListener listener)
            throws InterruptedException {
        for (String program : options.programs()) {
            if (!java.nio.file.Files.isExecutable(files.program(program))) {
                throw new IllegalArgumentException(
                        "program=%s, expected an executable file in %s"
                                .formatted(program, files.program("").normalize()));
            }
        }
        RealGuestRun run = new RealGuestRun(options, files, listener);
        try (AtEnd _ = new AtEnd(run::end)) {
            return run.run();
        }
    }

    private void end() {
        children.close();
        folder.close();
    }

    private RunReport run() throws InterruptedException {
        listener.onProgress("starting the server");
        GpuServer server =
                GpuServer.start(options.server(), options.vms(), folder, children, listener);
        listener.onProgress("starting %d guest(s)".formatted(options.vms().size()));
        for (VmSpec vm : options.vms()) {
            guests.put(vm.name(), new Guest(start(vm)));
        }
        collect();
        listener.onProgress("stopping the server");
        JsonNode summary = server.stop();
        List<RunReport.Vm> vms = guests.values().stream().map(this::judge).toList();
        List<String> failures = new ArrayList<>();
        if (options.server() instanceof ServerSpec.Backend && summary.isMissingNode()) {
            failures.add("the server wrote no summary");
        }
        RunReport report = RunReport.of(options.program(), vms, failures, summary);
        if (!report.passed()) {
            showLogs(vms);
        }
        if (options.keepFiles()) {
            listener.onProgress("consoles and logs are in " + folder.path());
        }
        return report;
    }

    private GuestMachine start(VmSpec vm) {
        return GuestMachine.start(
                vm,
                options,
                files,
                folder,
                children,
                line -> reports.add(new Report(vm.name(), line)),
                () -> reports.add(new Report(vm.name(), null)));
    }

    /// Collects lines of the guests until all have ended or timed out.
    private void collect() throws InterruptedException {
        while (guests.values().stream().anyMatch(Guest::running)) {
            long waitNs = nextDeadlineNs() - System.nanoTime();
            Report next = reports.poll(Math.max(waitNs, 0), TimeUnit.NANOSECONDS);
            if (next == null) {
                killOverdue();
            } else {
                accept(guests.get(next.vm()), next);
            }
        }
    }

    private long nextDeadlineNs() {
        long nowNs = System.nanoTime();
        long leastNs = Long.MAX_VALUE;
        for (Guest guest : guests.values()) {
            if (guest.running()) {
                leastNs = Math.min(leastNs, guest.startNs + options.timeout().toNanos() - nowNs);
            }
        }
        return nowNs + leastNs;
    }

    private void killOverdue() {
        for (Guest guest : guests.values()) {
            boolean overdue = System.nanoTime() - guest.startNs >= options.timeout().toNanos();
            if (guest.running() && overdue && guest.failures.isEmpty()) {
                guest.failures.add("timeout: seconds=%d".formatted(options.timeout().toSeconds()));
                guest.machine.kill();
            }
        }
    }

    private void accept(Guest guest, Report report) throws InterruptedException {
        if (report.line() == null) {
            int status = guest.machine.exitStatus();
            if (status != 0 && guest.failures.isEmpty()) {
                guest.failures.add("QEMU: exit status %d".formatted(status));
            }
            folder.lostReplies(guest.machine.spec().name()).ifPresent(guest.failures::add);
            guest.endNs = report.ns();
            return;
        }
        GuestEvent event = GuestEvent.parse(report.line());
        guest.events.add(event);
        guest.timeline.accept(event, guest.secondsUntil(report.ns()));
        listener.onEvent(guest.machine.spec().name(), event);
    }

    private RunReport.Vm judge(Guest guest) {
        GuestVerdict verdict =
                GuestVerdict.of(
                        guest.events, guest.failures, GuestVerdict.Expectation.of(options, files));
        return new RunReport.Vm(
                guest.machine.spec(),
                verdict,
                guest.secondsUntil(guest.endNs),
                guest.timeline.moments());
    }

    private void showLogs(List<RunReport.Vm> vms) {
        for (RunReport.Vm vm : vms) {
            if (!vm.verdict().passed()) {
                String name = vm.spec().name();
                folder.showConsole(name, listener);
                RunFolder.show("QEMU of " + name, folder.qemuLog(name), listener);
            }
        }
        RunFolder.show("end of the server's log", folder.serverLog(), listener);
    }
}
