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

/// `gpuvm device`: a software GF100 as a PCI card for any QEMU; one card, one machine, without
/// sharing.
@Command(
        name = "device",
        description = "Offers a GPU as a PCI card that QEMU plugs into a machine.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Example, with QEMU 10.1 or newer:",
            "  gpuvm device --listen /tmp/gpu.sock",
            "  qemu-system-x86_64 -machine q35,memory-backend=ram -m 1G \\",
            "    -object memory-backend-memfd,id=ram,size=1G,share=on \\",
            "    -device"
                    + " '{\"driver\":\"vfio-user-pci\",\"socket\":{\"path\":\"/tmp/gpu.sock\",\"type\":\"unix\"}}'"
                    + " ...",
            "",
            "The machine may be switched off and on again: the card is reset when QEMU"
                    + " disconnects.",
            "The line 'ready' on standard output says that the socket accepts connections. Logs go"
                    + " to",
            "standard error. A signal (Ctrl-C, SIGTERM) ends it in the orderly way, with that"
                    + " signal's",
            "exit status; 1 says that a part failed."
        })
final class DeviceCommand implements Callable<Integer> {
    /// Name of the card's machine in logs and in the summary.
    private static final String MACHINE = "machine";

    @Spec private CommandSpec spec;

    @Option(
            names = "--listen",
            required = true,
            paramLabel = "SOCKET",
            description = "Where QEMU's vfio-user-pci device connects; the socket is made there.")
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
