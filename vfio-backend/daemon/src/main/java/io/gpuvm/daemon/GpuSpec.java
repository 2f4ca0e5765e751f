package io.gpuvm.daemon;

import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.softgpu.sm.ExecutionMode;
import io.gpuvm.vfio.PciAddress;

/// GPU that a process is to own, as specified by `--gpu`.
public sealed interface GpuSpec {
    /// Software GF100.
    record Soft(SoftGpuConfig config) implements GpuSpec {}

    /// Card that is bound to Linux's vfio-pci driver.
    record Vfio(PciAddress address) implements GpuSpec {
        private static final String PREFIX = "vfio:";
    }

    /// Parses `soft[,KEY=VALUE]...` or `vfio:BDF`.
    ///
    /// @throws ConfigException if the kind of GPU or a key is unknown, or a value is invalid
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
                "--gpu %s: expected one of soft, vfio:BDF".formatted(options.head()));
    }

    /// Parses the values of `--gpu` and `--engine`, which must not contradict each other.
    ///
    /// @param engine text of an execution mode ([ExecutionMode#text()]), or null if `--engine` is
    ///   absent
    /// @throws ConfigException also if the execution mode is unknown, or if `--gpu` selects another
    ///   mode
    static GpuSpec parse(String text, String engine) {
        GpuSpec spec = parse(text);
        if (engine == null) {
            return spec;
        }
        if (!(spec instanceof Soft(SoftGpuConfig config))) {
            throw new ConfigException(
                    "--engine %s requires a software GPU, not --gpu %s".formatted(engine, text));
        }
        ExecutionMode wanted;
        try {
            wanted = ExecutionMode.named(engine);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--engine: " + e.getMessage(), e);
        }
        boolean isNamed = OptionList.parse("--gpu", text).values().containsKey("engine");
        if (isNamed && config.engine() != wanted) {
            throw new ConfigException(
                    "--engine %s: expected %s, as in --gpu %s"
                            .formatted(engine, config.engine().text(), text));
        }
        return new Soft(config.withEngine(wanted));
    }
}
