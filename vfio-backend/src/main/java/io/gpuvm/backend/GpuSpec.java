package io.gpuvm.backend;

import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.vfio.PciAddress;

/// Which GPU to own, as `--gpu` says it.
public sealed interface GpuSpec {
    /// A GF100 in software.
    record Soft(SoftGpuConfig config) implements GpuSpec {}

    /// A card that is bound to the kernel's vfio-pci driver.
    record Vfio(PciAddress address) implements GpuSpec {
        private static final String PREFIX = "vfio:";
    }

    /// Reads `soft[,KEY=VALUE]...` or `vfio:BDF`.
    ///
    /// @throws ConfigException if the kind of GPU or a key is unknown, or a value is bad
    static GpuSpec parse(String text) {
        OptionList options = OptionList.parse("--gpu", text);
        try {
            if (options.head().startsWith(Vfio.PREFIX)) {
                options.allowNone();
                return new Vfio(PciAddress.parse(options.head().substring(Vfio.PREFIX.length())));
            }
            if (options.head().equals("soft")) {
                return new Soft(SoftGpuConfig.parse(options.valuesText()));
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--gpu %s: %s".formatted(text, e.getMessage()), e);
        }
        throw new ConfigException(
                "--gpu %s: unknown kind of GPU (known: soft, vfio:BDF)".formatted(options.head()));
    }
}
