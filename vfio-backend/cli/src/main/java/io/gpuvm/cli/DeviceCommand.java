package io.gpuvm.cli;

import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.daemon.VmMode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm device`: offers a GPU as a PCI card to any QEMU: one card for one machine, without
/// sharing.
@Command(
        name = "device",
        description = "Offer a GPU as a PCI card for QEMU.",
        sortOptions = false,
        footer = {
            "",
            "Example, with QEMU 10.1 or newer:",
            "  gpuvm device --listen /tmp/gpu.sock",
            "  qemu-system-x86_64 -machine q35,memory-backend=ram -m 1G \\",
            "    -object memory-backend-memfd,id=ram,size=1G,share=on \\",
            "    -device '{\"driver\":\"vfio-user-pci\", \\",
            "        \"socket\":{\"path\":\"/tmp/gpu.sock\",\"type\":\"unix\"}}' ...",
            "",
            "The card is reset when QEMU disconnects, so that the machine can be powered off"
                    + " and on again.",
            "The backend prints 'ready' on standard output when the socket accepts"
                    + " connections, and logs to standard error.",
            "Exit status: 1 a part of the backend failed, 2 wrong arguments, 130 and 143"
                    + " after a normal shutdown by SIGINT (Ctrl-C) and SIGTERM."
        })
final class DeviceCommand implements Callable<Integer> {
    /// Name of the card's machine in logs and in the summary.
    private static final String MACHINE = "machine";

    @Spec private CommandSpec spec;

    @Option(
            names = "--listen",
            required = true,
            paramLabel = "SOCKET",
            description = "UNIX socket to create, to which QEMU's vfio-user-pci device connects.")
    private Path socket;

    @Mixin private ServiceOptions service;

    @Override
    public Integer call() throws InterruptedException {
        return new Service(service, spec.commandLine().getOut())
                .serve(
                        service.configFor(
                                List.of(VmConfig.of(MACHINE, VmMode.PASSTHROUGH, socket)),
                                BackendConfig.DEFAULT_COMMAND_LIMIT,
                                ThreadMode.SEPARATE));
    }
}
