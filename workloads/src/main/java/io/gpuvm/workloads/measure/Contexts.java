package io.gpuvm.workloads.measure;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.ArrayList;
import java.util.List;

/// A context for each configuration, for as long as a measurement takes.
final class Contexts implements AutoCloseable {
    private final List<GpuContext> open = new ArrayList<>();

    /// Opens all of them, or none.
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

    /// The context of a configuration, by its place in the list.
    GpuContext get(int configuration) {
        return open.get(configuration);
    }

    /// What their GPUs are called.
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
