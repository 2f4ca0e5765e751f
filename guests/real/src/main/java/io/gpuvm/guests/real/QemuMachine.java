package io.gpuvm.guests.real;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// QEMU process with the device `vfio-user-pci` on a socket, and its Linux guest.
public final class QemuMachine {
    /// Root bus of the chipset.
    public static final String ROOT_BUS = "pcie.0";

    /// Slot of the GPU on its bus. The allow-lists of kernel messages contain it.
    public static final String PCI_SLOT = "01.0";

    /// PCI address of [#PCI_SLOT] on the root bus, as Linux writes it.
    public static final String PCI_ADDRESS = "0000:00:" + PCI_SLOT;

    /// Kernel parameters of all machines. Under emulation, the time stamp counter drifts relative
    /// to the other clocks with the host's load; `tsc=reliable` disables Linux's check and its
    /// warning.
    private static final String KERNEL_COMMAND_LINE = "console=ttyS0 panic=-1 tsc=reliable";

    /// Maximum length of the kernel's command line, in bytes: `COMMAND_LINE_SIZE` of Linux on
    /// x86-64, without the final zero.
    private static final int LONGEST_COMMAND_LINE = 2047;

    /// Maximum number of characters of a line from the second serial port.
    private static final int LINE_LIMIT = 1 << 20;

    /// Time limit for a machine to power a slot off.
    private static final long SLOT_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// Interval between attempts to use the slot.
    private static final long SLOT_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Identifier of the GPU in QEMU.
    private static final String GPU_ID = "gpu";

    private final Process process;
    private final Path monitor;
    private final Map<String, ?> gpu;

    private QemuMachine(Process process, Path monitor, Map<String, ?> gpu) {
        this.process = process;
        this.monitor = monitor;
        this.gpu = gpu;
    }

    /// Hardware and software of a machine.
    ///
    /// @param name prefix of the machine's files in the run's folder
    /// @param chipset value of `-machine`, without the memory
    /// @param devices values of additional `-device` options
    /// @param gpuBus bus of the GPU: [#ROOT_BUS], or the bus of a bridge in `devices`
    /// @param gpuSlot slot on that bus, for instance `01.0`
    /// @param hardware processors and the method of executing their instructions
    /// @param memory size in QEMU's syntax, for instance `1G`
    /// @param commandLine words for the kernel's command line, in addition to those of all machines
    public record Spec(
            String name,
            String chipset,
            List<String> devices,
            String gpuBus,
            String gpuSlot,
            GuestHardware hardware,
            String memory,
            Path kernel,
            Path initramfs,
            String commandLine) {}

    /// Powers a machine on.
    ///
    /// @param lines receives each line that the machine reports on its second serial port, on a
    ///   separate thread
    /// @param ended runs on that thread after QEMU has ended and the last line has been passed
    public static QemuMachine start(
            Spec spec,
            Path qemu,
            RunFolder folder,
            Children children,
            Consumer<String> lines,
            Runnable ended) {
        List<String> command = new ArrayList<>();
        command.add(qemu.toString());
        command.addAll(hardware(spec, folder));
        command.addAll(
                List.of(
                        "-kernel",
                        spec.kernel().toString(),
                        "-initrd",
                        spec.initramfs().toString(),
                        "-append",
                        kernelCommandLine(spec)));
        Process process =
                children.startTalking(
                        spec.hardware().on().run(command), folder.qemuLog(spec.name()));
        OutputThread.start(
                "machine-" + spec.name(),
                () -> {
                    copyLines(process, folder.events(spec.name()), lines);
                    ended.run();
                });
        return new QemuMachine(process, folder.monitor(spec.name()), gpu(spec, folder));
    }

    /// @throws IllegalArgumentException if Linux would truncate the line
    private static String kernelCommandLine(Spec spec) {
        String line = KERNEL_COMMAND_LINE + " " + spec.commandLine();
        if (line.length() > LONGEST_COMMAND_LINE) {
            throw new IllegalArgumentException(
                    "%s: kernel command line with the guest's arguments: bytes=%d, limit=%d"
                            .formatted(spec.name(), line.length(), LONGEST_COMMAND_LINE));
        }
        return line;
    }

    /// Returns the options of the hardware. The machine's memory is a shared memory file, so that
    /// the GPU's server can map it.
    private static List<String> hardware(Spec spec, RunFolder folder) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "-machine",
                                spec.chipset() + ",memory-backend=ram",
                                "-smp",
                                String.valueOf(spec.hardware().processors()),
                                "-m",
                                spec.memory(),
                                "-object",
                                "memory-backend-memfd,id=ram,share=on,size=" + spec.memory(),
                                "-display",
                                "none",
                                "-vga",
                                "none",
                                "-nic",
                                "none",
                                "-monitor",
                                "none",
                                "-serial",
                                "file:" + folder.console(spec.name()),
                                "-serial",
                                "stdio",
                                "-no-reboot"));
        words.addAll(spec.hardware().accelerator().options());
        spec.devices().forEach(device -> words.addAll(List.of("-device", device)));
        words.addAll(List.of("-device", GuestEvent.JSON.valueToTree(gpu(spec, folder)).toString()));
        words.addAll(QemuMonitor.options(folder.monitor(spec.name())));
        return words;
    }

    private static Map<String, ?> gpu(Spec spec, RunFolder folder) {
        return Map.of(
                "driver",
                "vfio-user-pci",
                "id",
                GPU_ID,
                "bus",
                spec.gpuBus(),
                "addr",
                spec.gpuSlot(),
                "socket",
                Map.of("path", folder.socket(spec.name()).toString(), "type", "unix"));
    }

    private static void copyLines(Process process, Path file, Consumer<String> lines) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
                var copy =
                        Files.newBufferedWriter(
                                file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            LineReader bounded = new LineReader(reader, LINE_LIMIT);
            for (String line; (line = bounded.readLine()) != null; ) {
                copy.write(line);
                copy.newLine();
                lines.accept(line);
            }
        } catch (IOException _) {
            // The process was killed during a write. All earlier lines have been passed on.
        }
    }

    /// Waits for the end of QEMU, shortly after the end of its output.
    ///
    /// @return QEMU's exit status
    public int exitStatus() throws InterruptedException {
        return process.waitFor();
    }

    /// Requests the removal of the GPU from its hot-plug slot. The machine's Linux first releases
    /// the GPU.
    public void unplugGpu() {
        try (QemuMonitor qemu = QemuMonitor.connect(monitor)) {
            qemu.execute("device_del", Map.of("id", GPU_ID));
        }
    }

    /// Plugs the GPU in as soon as its slot is free. Linux removes a card before it powers the slot
    /// off.
    ///
    /// @throws IllegalStateException if QEMU still refuses after 30 s
    public void plugGpu() {
        long untilNs = System.nanoTime() + SLOT_LIMIT_NS;
        while (true) {
            try (QemuMonitor qemu = QemuMonitor.connect(monitor)) {
                qemu.execute("device_add", gpu);
                return;
            } catch (IllegalStateException e) {
                if (System.nanoTime() - untilNs >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(SLOT_LOOK_NS);
            }
        }
    }

    /// Sends a line to the machine's second serial port. If the machine has ended, the line is
    /// dropped.
    public void send(String line) {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write(line + "\n");
            input.flush();
        } catch (IOException _) {
            // QEMU has ended; the end of its output reports this.
        }
    }

    /// Powers the machine off immediately.
    public void kill() {
        process.destroyForcibly();
    }
}
