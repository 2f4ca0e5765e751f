package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// Options of every command whose kernels run on a private GPU, or on a GPU that a backend shares.
final class GpuWay {
    private static final List<String> OWN = List.of("--native", "--gpu", "--engine");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description =
                    "Socket of a backend, of which the program becomes a paravirtual guest. The"
                            + " backend: 'gpuvm serve --vm NAME,mode=pv,socket=PATH'. Default: a"
                            + " private GPU.")
    private Path socket;

    @Option(
            names = "--pci",
            arity = "0..1",
            paramLabel = "ADDRESS",
            preprocessor = PciAddressOrNone.class,
            description =
                    "PCI address, for instance 0000:01:00.0, of the function through which the"
                            + " program in a virtual machine becomes a paravirtual guest. The"
                            + " backend: 'gpuvm serve --vm"
                            + " NAME,mode=pv,via=vfio-user,socket=PATH'. Default of ADDRESS: the"
                            + " only such function.")
    private String pci;

    @Option(names = "--native", description = "Private GPU, without virtualization; the default.")
    private boolean inProcess;

    @Mixin private GpuOption gpu;

    /// Returns a function that opens the GPU.
    ///
    /// @throws ConfigException if the options contradict each other, or name no GPU
    Supplier<GpuSession> opener() {
        if (socket == null && pci == null) {
            GpuSpec spec = gpu.spec();
            return () -> NativeSession.open(spec);
        }
        ParseResult given = command.commandLine().getParseResult();
        for (String option : OWN) {
            if (given.hasMatchedOption(option)) {
                throw new ConfigException(
                        "%s: not valid with --socket or --pci, where the backend has the GPU"
                                .formatted(option));
            }
        }
        if (pci != null) {
            if (socket != null) {
                throw new ConfigException("--pci: not valid with --socket");
            }
            return () -> PvSession.openFunction(pci);
        }
        return () -> PvSession.open(socket);
    }
}
