package io.gpuvm.guests.real;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.OptionList;
import picocli.CommandLine.Option;

/// Option that selects the execution mode, for every command that starts a backend with the
/// software GPU.
public final class ExecutionModeOption {
    private static final String KEY = "engine";

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "Execution mode of the backend's compute kernels: interpreter, compiled or"
                            + " tiered. Default: the backend's default.")
    private String engine;

    /// Adds the execution mode to a value of the backend's `--gpu`, if the option was given and the
    /// value has no execution mode.
    ///
    /// @param gpu value of the backend's `--gpu`
    /// @throws io.gpuvm.daemon.ConfigException if the backend would refuse the value with the
    ///   option
    public String in(String gpu) {
        GpuSpec.parse(gpu, engine);
        boolean isSaid = engine == null || OptionList.parse("--gpu", gpu).values().containsKey(KEY);
        return isSaid ? gpu : "%s,%s=%s".formatted(gpu, KEY, engine);
    }
}
