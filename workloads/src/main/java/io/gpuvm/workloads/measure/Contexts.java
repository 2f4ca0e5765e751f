package io.gpuvm.workloads.measure;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.ArrayList;
import java.util.List;

/// One context for each configuration, for the duration of a measurement.
final class Contexts implements AutoCloseable {
    private final List<GpuContext> open = new ArrayList<>();

    /// Opens all contexts, or none.
    static Contexts open(List<Configuration> configurations) {
        Contexts contexts = new Contexts();
        try {
            configurations.forEach(each -> contexts.open.add(each.opener().get()));
        } catch (RuntimeException e) {
            try (contexts) {
                throw e;
            }
        }
        return contexts;
    }

    /// Returns the context of a configuration, by the configuration's index in the list.
    GpuContext get(int configuration) {
        return open.get(configuration);
    }

    /// Returns the names of the contexts' GPUs.
    List<String> gpus() {
        return open.stream().map(context -> context.limits().name()).toList();
    }

    @Override
    public void close() {
        if (!open.isEmpty()) {
            try (GpuContext _ = open.removeLast()) {
                close();
            }
        }
    }
}
