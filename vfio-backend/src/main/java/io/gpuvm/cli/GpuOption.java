package io.gpuvm.cli;

import io.gpuvm.backend.ConfigException;
import io.gpuvm.backend.GpuSpec;
import picocli.CommandLine.Option;

/// The option of every command that needs a GPU of this host.
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
                            + " watchdog=SECONDS (GPU time of one launch, default off)."
                            + " 'vfio:ADDRESS' is the card at that PCI address, which vfio-pci"
                            + " must have.")
    private String gpu;

    /// @throws ConfigException if there is no such GPU, or a key has a bad value
    GpuSpec spec() {
        return GpuSpec.parse(gpu);
    }
}
