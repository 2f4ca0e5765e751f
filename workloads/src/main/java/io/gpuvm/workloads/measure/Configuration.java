package io.gpuvm.workloads.measure;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.function.Supplier;

/// Access path of programs to a GPU, for comparison with other paths.
///
/// @param name name in results, for instance `native`
/// @param opener opens a new context, which the caller closes
public record Configuration(String name, Supplier<GpuContext> opener) {
    public Configuration {
        if (name.isBlank()) {
            throw new IllegalArgumentException("configuration='" + name + "', expected a name");
        }
    }
}
