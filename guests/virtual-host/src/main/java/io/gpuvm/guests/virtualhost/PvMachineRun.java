package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.LogAllowList;
import io.gpuvm.guests.real.QemuMachine;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.VmSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Run of a backend and a machine in which `gpuvm run` is a paravirtual guest, through a PCI
/// function of the backend.
final class PvMachineRun {
    private static final String NAME = "pv";
    private static final String CHIPSET = "q35";
    private static final String MEMORY = "1G";
    private static final int PROCESSORS = 2;
    private static final String KERNEL_PARAMETERS = "no_timer_check";

    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();
    private final BlockingQueue<Optional<String>> said = new LinkedBlockingQueue<>();

    private PvMachineRun() {}

    /// Powers the machine on and waits until it has powered off.
    ///
    /// @param arguments arguments of `gpuvm run` in the machine
    /// @return verdict by the allow-lists of real guests
    static PvMachineVerdict run(
            List<String> arguments,
            String kernel,
            GuestFiles files,
            Duration timeout,
            RunListener listener)
            throws InterruptedException {
        PvMachineRun run = new PvMachineRun();
        try (AtEnd _ = new AtEnd(run::end)) {
            return run.run(words(arguments), kernel, files, timeout, listener);
        }
    }

    private static String words(List<String> arguments) {
        return Stream.concat(
                        Stream.of(KERNEL_PARAMETERS),
                        arguments.stream().map(word -> "gpuvm.arg=" + word))
                .collect(Collectors.joining(" "));
    }

    private void end() {
        children.close();
        folder.close();
    }

    private PvMachineVerdict run(
            String commandLine,
            String kernel,
            GuestFiles files,
            Duration timeout,
            RunListener listener)
            throws InterruptedException {
        Path image = folder.path().resolve("image.cpio");
        PvMachineImage.write(image, files, kernel);
        VmSpec vm = new VmSpec(NAME, kernel, Map.of("mode", "pv", "via", "vfio-user"));
        GpuServer server =
                GpuServer.start(
                        new ServerSpec.Backend("soft,vram=256M", "backoff"),
                        List.of(vm),
                        folder,
                        children,
                        listener);
        long startNs = System.nanoTime();
        QemuMachine machine =
                QemuMachine.start(
                        new QemuMachine.Spec(
                                NAME,
                                CHIPSET,
                                List.of(),
                                QemuMachine.ROOT_BUS,
                                QemuMachine.PCI_SLOT,
                                PROCESSORS,
                                MEMORY,
                                files.kernelImage(kernel),
                                image,
                                commandLine),
                        files.qemu(),
                        folder,
                        children,
                        line -> said.add(Optional.of(line)),
                        () -> said.add(Optional.empty()));
        List<GuestEvent> events = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (; ; ) {
            long leftNs = startNs + timeout.toNanos() - System.nanoTime();
            Optional<String> next = said.poll(Math.max(leftNs, 0), TimeUnit.NANOSECONDS);
            if (next == null) {
                machine.kill();
                failures.add("timeout: seconds=%d".formatted(timeout.toSeconds()));
                break;
            }
            if (next.isEmpty()) {
                break;
            }
            events.add(GuestEvent.parse(next.get()));
        }
        int status = machine.exitStatus();
        if (status != 0 && failures.isEmpty()) {
            failures.add("QEMU: exit status %d".formatted(status));
        }
        server.stop();
        PvMachineVerdict verdict =
                PvMachineVerdict.of(
                        events,
                        failures,
                        (series, phase) -> LogAllowList.load(files.logAllowLists(), series, phase));
        if (!verdict.failures().isEmpty()) {
            RunFolder.show("end of the console", folder.console(NAME), listener);
            RunFolder.show("QEMU", folder.qemuLog(NAME), listener);
            RunFolder.show("end of the server's log", folder.serverLog(), listener);
        }
        return verdict;
    }
}
