package io.gpuvm.guests.real;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Virtual machine of a run, with its guest.
///
/// @param spec specification of the machine
/// @param qemu QEMU process
record GuestMachine(VmSpec spec, QemuMachine qemu) {
    private static final String CHIPSET = "q35";

    /// Folder of the guest with the files of [RunOptions#files()].
    private static final Path ADDED_FILES = Path.of("/opt/files");

    /// Powers a machine on.
    ///
    /// @param lines receives each line that the guest reports, on a separate thread
    /// @param ended runs on that thread after QEMU has ended and the last line has been passed
    static GuestMachine start(
            VmSpec spec,
            RunOptions options,
            GuestFiles files,
            RunFolder folder,
            Children children,
            Consumer<String> lines,
            Runnable ended) {
        GuestImage image = files.imageFor(options.programs());
        QemuMachine.Spec machine =
                new QemuMachine.Spec(
                        spec.name(),
                        CHIPSET,
                        List.of(),
                        QemuMachine.ROOT_BUS,
                        QemuMachine.PCI_SLOT,
                        options.hardware(),
                        image.memory(),
                        files.kernelImage(spec.kernel()),
                        initramfs(spec, options, files.initramfs(spec.kernel(), image), folder),
                        kernelCommandLine(spec, options));
        return new GuestMachine(
                spec, QemuMachine.start(machine, files.qemu(), folder, children, lines, ended));
    }

    /// Returns the initramfs of a guest: that of its image, followed by an archive of the files
    /// that the options add.
    private static Path initramfs(VmSpec spec, RunOptions options, Path image, RunFolder folder) {
        if (options.files() == null) {
            return image;
        }
        Path file = folder.initramfs(spec.name());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            Files.copy(image, out);
            try (CpioArchive archive = new CpioArchive(out)) {
                archive.addTree(ADDED_FILES, options.files());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /// Returns the kernel parameters that `tests/real-guest/guest/init` reads.
    private static String kernelCommandLine(VmSpec vm, RunOptions options) {
        StringBuilder line = new StringBuilder();
        options.programs().forEach(name -> line.append(" gpuvm.program=").append(name));
        line.append(" gpuvm.reload=").append(options.reloads());
        line.append(" gpuvm.timeout=").append(options.timeout().toSeconds());
        line.append(" gpuvm.driver=").append(vm.isParavirtual() ? "none" : "nouveau");
        arguments(vm, options).forEach(word -> line.append(" gpuvm.arg=").append(word));
        options.moduleParameters()
                .forEach(word -> line.append(" gpuvm.module_param=").append(word));
        options.reloadParameters()
                .forEach(word -> line.append(" gpuvm.reload_param=").append(word));
        return line.toString();
    }

    /// Returns the arguments of each program. `gpuvm run` also needs the option for the access to
    /// the GPU, and the runtime's tests need to know whether a backend schedules the GPU's
    /// commands.
    private static List<String> arguments(VmSpec vm, RunOptions options) {
        String added = null;
        if (options.programs().stream().anyMatch(RunOptions::runsWorkloads)) {
            added = vm.isParavirtual() ? "--pci" : "--nouveau";
        } else if (options.programs().contains(RunOptions.SUITE) && vm.isShared()) {
            added = "--shared";
        }
        return Stream.concat(options.arguments().stream(), Stream.ofNullable(added)).toList();
    }

    /// Waits for the end of QEMU, shortly after the end of its output.
    ///
    /// @return QEMU's exit status
    int exitStatus() throws InterruptedException {
        return qemu.exitStatus();
    }

    /// Sends a line to the guest's second serial port.
    void send(String line) {
        qemu.send(line);
    }

    /// Powers the machine off immediately.
    void kill() {
        qemu.kill();
    }
}
