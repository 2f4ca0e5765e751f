package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import picocli.CommandLine.Option;

/// Option of every command that needs a GPU of this host.
final class GpuOption {
    @Option(
            names = "--gpu",
            paramLabel = "KIND[,KEY=VALUE]...",
            defaultValue = "soft",
            description =
                    "GPU to own: 'soft' is a software GF100; 'vfio:ADDRESS' is the card at that"
                            + " PCI address, bound to vfio-pci. Keys of soft: vram=SIZE (else"
                            + " 512M), copy-engines=on|off, display=on|off, gpcs=N+N+... (TPCs of"
                            + " each GPC, else 4+4+3+3), bar1=SIZE, bar3=SIZE, workers=N (threads"
                            + " for compute kernels, else one for each processor),"
                            + " watchdog=SECONDS (limit of the GPU time of a launch, else none),"
                            + " engine=ENGINE (see --engine). Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "Execution mode of compute kernels on a software GPU: interpreter, compiled"
                            + " (each kernel is compiled before its first run) or tiered (a kernel"
                            + " is interpreted first, and compiled in the background if it runs"
                            + " long). Short for engine=ENGINE in --gpu. Default: tiered.")
    private String engine;

    /// @throws ConfigException if there is no such GPU, if a key has an invalid value, or if the
    ///   GPU does not support the execution mode
    GpuSpec spec() {
        return GpuSpec.parse(gpu, engine);
    }
}
