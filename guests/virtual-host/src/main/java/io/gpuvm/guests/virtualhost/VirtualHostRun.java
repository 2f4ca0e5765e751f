package io.gpuvm.guests.virtualhost;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestHardware;
import io.gpuvm.guests.real.LogAllowList;
import io.gpuvm.guests.real.QemuMachine;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.VmSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Run of a card and its host. Starts both, collects the host's events, ends both, and checks the
/// results.
///
/// Confined to the thread that calls [#run]; a reader thread only fills the queue.
final class VirtualHostRun {
    private static final String NAME = "host";

    /// Chipset in which the emulated IOMMU remaps interrupts, instead of the real host's KVM.
    private static final String CHIPSET = "q35,kernel-irqchip=off";

    private static final int PROCESSORS = 2;

    /// Kernel parameters. Huge pages are for tests of DMA, which QEMU forwards as one message per
    /// page of the IOMMU.
    private static final String KERNEL_PARAMETERS = "hugepages=32 no_timer_check";

    /// Time between the kill of a hung program inside the host and the timeout, so that its stacks
    /// and the kernel log are still reported.
    private static final Duration LAST_WORDS = Duration.ofSeconds(30);

    private static final double NS_PER_SECOND = 1e9;

    private final HostOptions options;
    private final GuestFiles files;
    private final RunListener listener;
    private final RunFolder folder;
    private final Children children = new Children();
    private final BlockingQueue<Optional<TimedEvent>> said = new LinkedBlockingQueue<>();
    private final List<TimedEvent> events = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long startNs;

    private VirtualHostRun(HostOptions options, GuestFiles files, RunListener listener) {
        this.options = options;
        this.files = files;
        this.listener = listener;
        this.folder = new RunFolder(options.keepFiles());
    }

    /// Runs all tests. No process and no socket is left when this method returns or throws, or when
    /// a signal terminates the JVM.
    ///
    /// @param kernel kernel that has been prepared for virtual hosts
    /// @throws IllegalStateException if the server does not start
    static HostReport run(
            HostOptions options, String kernel, GuestFiles files, RunListener listener)
            throws InterruptedException {
        VirtualHostRun run = new VirtualHostRun(options, files, listener);
        try (AtEnd _ = new AtEnd(run::end)) {
            return run.run(kernel);
        }
    }

    private void end() {
        children.close();
        folder.close();
    }

    private HostReport run(String kernel) throws InterruptedException {
        Path image = folder.path().resolve("image.cpio");
        HostImage.write(image, files, kernel, replayed(kernel));
        listener.onProgress("starting the card");
        GpuServer server =
                GpuServer.start(
                        new ServerSpec.Card(options.gpu(), options.idle()),
                        List.of(VmSpec.of(NAME, kernel, "passthrough")),
                        folder,
                        children,
                        listener);
        listener.onProgress("starting the host, seed=%d".formatted(options.seed()));
        startNs = System.nanoTime();
        QemuMachine machine = start(kernel, image);
        collect(machine);
        double seconds = secondsSinceStart();
        delete(image);
        listener.onProgress("stopping the card");
        JsonNode summary = server.stop();
        HostVerdict verdict = HostVerdict.of(events, failures, options.tests(), this::allowList);
        HostReport report = new HostReport(options.seed(), verdict, seconds, summary);
        tellMore(report);
        return report;
    }

    /// Returns the files for a replay in the host, by name in the image.
    private Map<String, Path> replayed(String kernel) throws InterruptedException {
        Path recording = options.recording();
        if (recording == null) {
            return Map.of();
        }
        listener.onProgress("replaying on the software GPU");
        Path model = folder.path().resolve("model.json");
        ReplayModel.write(recording, kernel, model, children, listener);
        return Map.of("recording", recording, "model.json", model);
    }

    /// Deletes the image even if files are kept, because it is large and reproducible.
    private static void delete(Path image) {
        try {
            Files.delete(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LogAllowList allowList(String series, String phase) {
        Path own = files.virtualHostFolder().resolve("log-allow");
        return LogAllowList.any(files.logAllowLists()).and(LogAllowList.load(own, series, phase));
    }

    private QemuMachine start(String kernel, Path image) {
        QemuMachine.Spec spec =
                new QemuMachine.Spec(
                        NAME,
                        CHIPSET,
                        options.machine().devices(),
                        options.machine().gpuBus(),
                        options.machine().gpuSlot(),
                        GuestHardware.DEFAULT.withProcessors(PROCESSORS),
                        options.machine().memory(),
                        files.kernelImage(kernel),
                        image,
                        kernelCommandLine());
        return QemuMachine.start(
                spec,
                files.qemu(),
                folder,
                children,
                line ->
                        said.add(
                                Optional.of(
                                        new TimedEvent(
                                                secondsSinceStart(), GuestEvent.parse(line)))),
                () -> said.add(Optional.empty()));
    }

    /// Returns the parameters that `tests/virtual-host/guest/init` reads.
    private String kernelCommandLine() {
        StringBuilder line = new StringBuilder(KERNEL_PARAMETERS);
        line.append(' ').append(options.machine().kernelParameters());
        line.append(" gpuvm.device=").append(options.machine().gpuAddress());
        line.append(" gpuvm.seed=").append(options.seed());
        line.append(" gpuvm.deadline=").append(options.timeout().minus(LAST_WORDS).toSeconds());
        if (!options.select().isEmpty()) {
            line.append(" gpuvm.select=").append(options.select());
        }
        options.tests().forEach(test -> line.append(" gpuvm.test=").append(test));
        return line.toString();
    }

    /// Collects lines of the host until it has ended or timed out.
    private void collect(QemuMachine machine) throws InterruptedException {
        for (; ; ) {
            long waitNs = startNs + options.timeout().toNanos() - System.nanoTime();
            Optional<TimedEvent> next =
                    failures.isEmpty()
                            ? said.poll(Math.max(waitNs, 0), TimeUnit.NANOSECONDS)
                            : said.take();
            if (next == null) {
                failures.add("timeout: seconds=%d".formatted(options.timeout().toSeconds()));
                machine.kill();
            } else if (next.isPresent()) {
                events.add(next.get());
                listener.onEvent(NAME, next.get().event());
                if (next.get().event() instanceof GuestEvent.Asked(String what)) {
                    carryOut(what, machine);
                }
            } else {
                requireGoodEnd(machine);
                return;
            }
        }
    }

    /// Executes a test's request to its machine.
    private void carryOut(String what, QemuMachine machine) {
        try {
            switch (what) {
                case "unplug" -> machine.unplugGpu();
                case "plug" -> machine.plugGpu();
                default ->
                        failures.add("request='%s', expected one of unplug, plug".formatted(what));
            }
        } catch (IllegalStateException | UncheckedIOException e) {
            failures.add("%s: %s".formatted(what, e.getMessage()));
        }
    }

    private void requireGoodEnd(QemuMachine machine) throws InterruptedException {
        int status = machine.exitStatus();
        if (status != 0 && failures.isEmpty()) {
            failures.add("QEMU: exit status %d".formatted(status));
        }
    }

    private double secondsSinceStart() {
        return (System.nanoTime() - startNs) / NS_PER_SECOND;
    }

    private void tellMore(HostReport report) {
        if (!report.passed()) {
            RunFolder.show("end of the host's console", folder.console(NAME), listener);
            RunFolder.show("QEMU", folder.qemuLog(NAME), listener);
            RunFolder.show("end of the card's log", folder.serverLog(), listener);
        }
        if (options.keepFiles()) {
            listener.onProgress("console and logs are in " + folder.path());
        }
    }
}
