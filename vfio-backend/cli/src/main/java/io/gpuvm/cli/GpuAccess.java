package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.pv.remote.CommandBatching;
import io.gpuvm.pv.remote.PvTransport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// Options of every command whose kernels run on a private GPU, on a GPU that a backend shares, or
/// on a GPU of the kernel's driver.
final class GpuAccess {
    private static final String SOCKET = "--socket";
    private static final String PCI = "--pci";
    private static final String NOUVEAU = "--nouveau";
    private static final String BATCHING = "--pv-batch";

    /// Options that name a GPU which this process does not own.
    private static final List<String> SHARED = List.of(SOCKET, PCI, NOUVEAU);

    private static final List<String> OWN = List.of("--native", "--gpu", "--engine");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = SOCKET,
            paramLabel = "PATH",
            description =
                    "Socket of a backend, of which the program becomes a paravirtual guest. The"
                            + " backend: 'gpuvm serve --vm NAME,mode=pv,socket=PATH'. Default: the"
                            + " environment variable GPUVM_SOCKET, else a private GPU.")
    private Path socket;

    @Option(
            names = PCI,
            arity = "0..1",
            paramLabel = "ADDRESS",
            preprocessor = ValueOrNone.PciAddress.class,
            description =
                    "PCI address, for instance 0000:01:00.0, of the function through which the"
                            + " program in a virtual machine becomes a paravirtual guest. The"
                            + " backend: 'gpuvm serve --vm"
                            + " NAME,mode=pv,via=vfio-user,socket=PATH'. Default of ADDRESS: the"
                            + " only such function.")
    private String pci;

    @Option(
            names = NOUVEAU,
            arity = "0..1",
            paramLabel = "DEVICE",
            preprocessor = ValueOrNone.AbsolutePath.class,
            description =
                    "DRM device, for instance /dev/dri/renderD128, of a GPU of the GF100 family that"
                            + " the kernel's driver nouveau controls. Default of DEVICE: the first"
                            + " render node of nouveau.")
    private String nouveau;

    @Option(
            names = BATCHING,
            paramLabel = "on|off",
            description =
                    "Batching of the ring commands of a paravirtual guest; off: each command rings"
                            + " the doorbell and waits for its answer, for measurements. Default:"
                            + " on.")
    private CommandBatching batching;

    @Option(
            names = "--native",
            description =
                    "Private GPU, without virtualization; the default, unless GPUVM_SOCKET is"
                            + " set.")
    private boolean inProcess;

    @Mixin private GpuOption gpu;

    /// Returns a function that opens the GPU.
    ///
    /// @throws ConfigException if the options contradict each other, or name no GPU
    Supplier<GpuSession> opener() {
        List<String> shared = given(SHARED);
        String named = System.getenv(PvTransport.SOCKET_VARIABLE);
        if (shared.isEmpty() && given(OWN).isEmpty() && named != null && !named.isEmpty()) {
            return () -> PvSession.open(Path.of(named), batching());
        }
        if (shared.isEmpty()) {
            if (batching != null) {
                throw new ConfigException("%s: expected %s or %s".formatted(BATCHING, SOCKET, PCI));
            }
            GpuSpec spec = gpu.spec();
            return () -> NativeSession.open(spec);
        }
        String access = shared.getFirst();
        List<String> contrary = shared.size() > 1 ? shared.subList(1, 2) : given(OWN);
        if (!contrary.isEmpty()) {
            throw new ConfigException(
                    "%s: not valid with %s".formatted(contrary.getFirst(), access));
        }
        if (batching != null && access.equals(NOUVEAU)) {
            throw new ConfigException("%s: not valid with %s".formatted(BATCHING, access));
        }
        return switch (access) {
            case SOCKET -> () -> PvSession.open(socket, batching());
            case PCI -> () -> PvSession.openFunction(pci, batching());
            default -> () -> NouveauSession.open(nouveau);
        };
    }

    private CommandBatching batching() {
        return batching == null ? CommandBatching.ON : batching;
    }

    /// Filters a list of options: returns those that the command line contains, in the same order.
    private List<String> given(List<String> options) {
        ParseResult given = command.commandLine().getParseResult();
        return options.stream().filter(given::hasMatchedOption).toList();
    }
}
