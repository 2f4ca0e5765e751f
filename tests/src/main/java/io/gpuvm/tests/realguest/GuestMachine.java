package io.gpuvm.tests.realguest;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A QEMU process with the device `vfio-user-pci` on a socket, and the guest in it.
public final class GuestMachine {
    /// Guest memory must be a shared memory file, so that the server can map it.
    private static final String MEMORY = "1G";

    /// Where the guest finds the GPU; the allow-lists of kernel messages name it.
    private static final String PCI_SLOT = "01.0";

    /// Under emulation the time stamp counter drifts against the other clocks with the host's load,
    /// about which the kernel would complain; it is told not to look.
    private static final String KERNEL_COMMAND_LINE = "console=ttyS0 panic=-1 tsc=reliable";

    private final VmSpec spec;
    private final Process process;

    private GuestMachine(VmSpec spec, Process process) {
        this.spec = spec;
        this.process = process;
    }

    /// Powers a machine on.
    ///
    /// @param lines takes each line that the guest reports, on a thread of its own
    /// @param ended runs on that thread when QEMU has ended and no more lines come
    static GuestMachine start(
            VmSpec spec,
            RunOptions options,
            GuestFiles files,
            RunFolder folder,
            Children children,
            Consumer<String> lines,
            Runnable ended) {
        List<String> command = new ArrayList<>(qemu(spec, files, folder));
        command.addAll(List.of("-append", kernelCommandLine(options)));
        Process process = children.start(command, null, folder.qemuLog(spec.name()));
        Thread.ofVirtual()
                .name("guest-" + spec.name())
                .start(() -> {
                    copyLines(process, folder.events(spec.name()), lines);
                    ended.run();
                });
        return new GuestMachine(spec, process);
    }

    /// QEMU's command line, all but the kernel's.
    private static List<String> qemu(VmSpec spec, GuestFiles files, RunFolder folder) {
        return List.of(
                files.qemu().toString(),
                "-machine",
                "q35,memory-backend=ram",
                "-accel",
                "tcg,thread=multi",
                "-cpu",
                "max",
                "-smp",
                "1",
                "-m",
                MEMORY,
                "-object",
                "memory-backend-memfd,id=ram,share=on,size=" + MEMORY,
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
                "-no-reboot",
                "-kernel",
                files.kernelImage(spec.kernel()).toString(),
                "-initrd",
                files.initramfs(spec.kernel()).toString(),
                "-device",
                device(folder.socket(spec.name())));
    }

    private static String device(Path socket) {
        return """
        {"driver":"vfio-user-pci","addr":"%s","socket":{"path":"%s","type":"unix"}}\
        """
                .formatted(PCI_SLOT, socket);
    }

    /// Parameters that `tests/real-guest/guest/init` reads.
    private static String kernelCommandLine(RunOptions options) {
        StringBuilder line = new StringBuilder(KERNEL_COMMAND_LINE);
        line.append(" gpuvm.program=").append(options.program());
        line.append(" gpuvm.reload=").append(options.reloads());
        line.append(" gpuvm.timeout=").append(options.timeout().toSeconds());
        options.arguments().forEach(word -> line.append(" gpuvm.arg=").append(word));
        options.moduleParameters()
                .forEach(word -> line.append(" gpuvm.module_param=").append(word));
        return line.toString();
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

    VmSpec spec() {
        return spec;
    }

    /// Waits for QEMU to end, which is soon once its output has.
    ///
    /// @return its exit status
    int exitStatus() throws InterruptedException {
        return process.waitFor();
    }

    /// Cuts the power.
    void kill() {
        process.destroyForcibly();
    }
}
