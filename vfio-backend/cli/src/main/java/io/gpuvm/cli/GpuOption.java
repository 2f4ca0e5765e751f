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
                    "The GPU to own. 'soft' is a GF100 in software; keys: vram=SIZE (default 512M),"
                            + " copy-engines=on|off, display=on|off, gpcs=N+N+... (TPCs of each"
                            + " GPC, default 4+4+3+3), bar1=SIZE, bar3=SIZE, workers=N (threads that"
                            + " run compute kernels, default one for each processor),"
                            + " watchdog=SECONDS (GPU time of one launch, default off),"
                            + " engine=ENGINE (see --engine)."
                            + " 'vfio:ADDRESS' is the card at that PCI address, which vfio-pci"
                            + " must have.")
    private String gpu;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "What executes compute kernels on a GPU in software: 'interpreter' (instruction"
                            + " by instruction), 'compiled' (each kernel is compiled before it runs"
                            + " first), 'tiered' (interpreted at first, compiled meanwhile if it"
                            + " runs long). Short for engine=ENGINE in --gpu. Default:"
                            + " tiered.")
    private String engine;

    /// @throws ConfigException if there is no such GPU, if a key has an invalid value, or if the
    ///   GPU does not support the engine
    GpuSpec spec() {
        return GpuSpec.parse(gpu, engine);
    }
}
