package io.gpuvm.guests.real;

import java.util.List;
import java.util.function.Consumer;

/// Virtual machine of a run, with its guest.
///
/// @param spec specification of the machine
/// @param qemu QEMU process
record GuestMachine(VmSpec spec, QemuMachine qemu) {
    private static final String CHIPSET = "q35";
    private static final String MEMORY = "1G";

    /// Memory with Mesa: the libraries occupy more than 200 MiB, and twice that while Linux unpacks
    /// them.
    private static final String MEMORY_WITH_MESA = "2G";

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
        QemuMachine.Spec machine =
                new QemuMachine.Spec(
                        spec.name(),
                        CHIPSET,
                        List.of(),
                        QemuMachine.ROOT_BUS,
                        QemuMachine.PCI_SLOT,
                        1,
                        files.needsMesa(options.programs()) ? MEMORY_WITH_MESA : MEMORY,
                        files.kernelImage(spec.kernel()),
                        files.initramfs(spec.kernel(), options.programs()),
                        kernelCommandLine(options));
        return new GuestMachine(
                spec, QemuMachine.start(machine, files.qemu(), folder, children, lines, ended));
    }

    /// Returns the kernel parameters that `tests/real-guest/guest/init` reads.
    private static String kernelCommandLine(RunOptions options) {
        StringBuilder line = new StringBuilder();
        options.programs().forEach(name -> line.append(" gpuvm.program=").append(name));
        line.append(" gpuvm.reload=").append(options.reloads());
        line.append(" gpuvm.timeout=").append(options.timeout().toSeconds());
        options.arguments().forEach(word -> line.append(" gpuvm.arg=").append(word));
        options.moduleParameters()
                .forEach(word -> line.append(" gpuvm.module_param=").append(word));
        options.reloadParameters()
                .forEach(word -> line.append(" gpuvm.reload_param=").append(word));
        return line.toString();
    }

    /// Waits for the end of QEMU, shortly after the end of its output.
    ///
    /// @return QEMU's exit status
    int exitStatus() throws InterruptedException {
        return qemu.exitStatus();
    }

    /// Powers the machine off immediately.
    void kill() {
        qemu.kill();
    }
}
