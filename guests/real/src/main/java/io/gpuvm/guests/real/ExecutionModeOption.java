package io.gpuvm.guests.real;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.OptionList;
import picocli.CommandLine.Option;

/// The option of every command here that has a backend own a GPU in software.
public final class ExecutionModeOption {
    private static final String KEY = "engine";

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "The backend's --engine: interpreter, compiled or tiered. Default: the"
                            + " backend's own.")
    private String engine;

    /// The value of the backend's `--gpu` that says it as well.
    ///
    /// @param gpu the value without it
    /// @throws io.gpuvm.daemon.ConfigException if the backend would refuse both together
    public String in(String gpu) {
        GpuSpec.parse(gpu, engine);
        boolean isSaid = engine == null || OptionList.parse("--gpu", gpu).values().containsKey(KEY);
        return isSaid ? gpu : "%s,%s=%s".formatted(gpu, KEY, engine);
    }
}
