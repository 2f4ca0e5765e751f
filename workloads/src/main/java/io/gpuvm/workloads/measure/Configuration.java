package io.gpuvm.workloads.measure;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.function.Supplier;

/// A way in which programs reach a GPU, to be compared with others.
///
/// @param name what it is called in results: `native`, for instance
/// @param opener gives a new context, which its user closes
public record Configuration(String name, Supplier<GpuContext> opener) {
    public Configuration {
        if (name.isBlank()) {
            throw new IllegalArgumentException("configuration='" + name + "', limit=a name");
        }
    }
}
