package io.gpuvm.guests.real;

import java.io.BufferedReader;
import java.io.IOException;
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

/// A QEMU process with the device `vfio-user-pci` on a socket, and the Linux in it.
public final class QemuMachine {
    /// The bus that the chipset itself has.
    public static final String ROOT_BUS = "pcie.0";

    /// Where on its bus the machine finds the GPU; the allow-lists of kernel messages name it.
    public static final String PCI_SLOT = "01.0";

    /// The same as Linux writes it, on the root bus.
    public static final String PCI_ADDRESS = "0000:00:" + PCI_SLOT;

    /// Under emulation the time stamp counter drifts against the other clocks with the host's load,
    /// about which the kernel would complain; it is told not to look.
    private static final String KERNEL_COMMAND_LINE = "console=ttyS0 panic=-1 tsc=reliable";

    /// How long a machine may take to switch a slot off, and how often to try.
    private static final long SLOT_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long SLOT_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// QEMU's name for the GPU.
    private static final String GPU_ID = "gpu";

    private final Process process;
    private final Path monitor;
    private final Map<String, ?> gpu;

    private QemuMachine(Process process, Path monitor, Map<String, ?> gpu) {
        this.process = process;
        this.monitor = monitor;
        this.gpu = gpu;
    }

    /// What to power on.
    ///
    /// @param name names its files in the run's folder
    /// @param chipset the value of `-machine`, but for the memory
    /// @param devices values of further `-device` options
    /// @param gpuBus the bus that the GPU is on, [#ROOT_BUS] or one of a bridge among `devices`
    /// @param gpuSlot where on that bus, `01.0` for instance
    /// @param memory its size as QEMU writes it, `1G` for instance
    /// @param commandLine words for the kernel's command line, beside those that all machines have
    public record Spec(
            String name,
            String chipset,
            List<String> devices,
            String gpuBus,
            String gpuSlot,
            int processors,
            String memory,
            Path kernel,
            Path initramfs,
            String commandLine) {}

    /// Powers a machine on.
    ///
    /// @param lines takes each line that the machine reports on its second serial port, on a thread
    ///   of its own
    /// @param ended runs on that thread when QEMU has ended and no more lines come
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
                        KERNEL_COMMAND_LINE + " " + spec.commandLine()));
        Process process = children.start(command, null, folder.qemuLog(spec.name()));
        Thread.ofVirtual()
                .name("machine-" + spec.name())
                .start(() -> {
                    copyLines(process, folder.events(spec.name()), lines);
                    ended.run();
                });
        return new QemuMachine(process, folder.monitor(spec.name()), gpu(spec, folder));
    }

    /// The machine's memory is a shared memory file, so that the GPU's server can map it.
    private static List<String> hardware(Spec spec, RunFolder folder) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "-machine",
                                spec.chipset() + ",memory-backend=ram",
                                "-accel",
                                "tcg,thread=multi",
                                "-cpu",
                                "max",
                                "-smp",
                                String.valueOf(spec.processors()),
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
            for (String line; (line = reader.readLine()) != null; ) {
                copy.write(line);
                copy.newLine();
                lines.accept(line);
            }
        } catch (IOException _) {
            // The process was ended while it was writing; what it said until then has been taken.
        }
    }

    /// Waits for QEMU to end, which is soon once its output has.
    ///
    /// @return its exit status
    public int exitStatus() throws InterruptedException {
        return process.waitFor();
    }

    /// Asks the machine to let the GPU go, which then leaves its slot, if that is one for hot-plug.
    public void unplugGpu() {
        try (QemuMonitor qemu = QemuMonitor.connect(monitor)) {
            qemu.execute("device_del", Map.of("id", GPU_ID));
        }
    }

    /// Plugs the GPU in again, as soon as its slot is free: the machine's kernel forgets a card
    /// before it switches the slot off.
    ///
    /// @throws IllegalStateException if QEMU still refuses after a while
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

    /// Cuts the power.
    public void kill() {
        process.destroyForcibly();
    }
}
