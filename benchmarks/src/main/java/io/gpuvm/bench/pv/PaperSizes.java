package io.gpuvm.bench.pv;

import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.util.List;
import java.util.Map;

/// Workloads in the sizes of `./gpuvm bench-pv`. Most sizes are those of the GPUvm paper or of
/// Rodinia's data sets.
final class PaperSizes {
    private static final Map<String, Integer> SIZES =
            Map.ofEntries(
                    Map.entry("loop", 100_000),
                    Map.entry("madd", 1024),
                    Map.entry("mmul", 1024),
                    Map.entry("fmadd", 1024),
                    Map.entry("fmmul", 1024),
                    Map.entry("cpy", 64 << 20),
                    Map.entry("pincpy", 64 << 20),
                    Map.entry("nop", 10_000),
                    Map.entry("delay", 10_000),
                    Map.entry("spin", 100_000),
                    Map.entry("mix", 100_000),
                    Map.entry("backprop", 65_536),
                    Map.entry("bfs", 1_000_000),
                    Map.entry("hotspot", 512),
                    Map.entry("lud", 2048),
                    Map.entry("nn", 262_144),
                    Map.entry("nw", 2048),
                    Map.entry("srad", 2048),
                    Map.entry("srad2", 2048),
                    Map.entry("heartwall", 104));

    private PaperSizes() {}

    /// Returns the names of all workloads, in their default order.
    static List<String> names() {
        return Workloads.all().stream().map(each -> each.name()).toList();
    }

    /// Returns a workload in its size for the comparison.
    ///
    /// @throws IllegalArgumentException if there is no such workload; the message names all
    ///   workloads
    static Task of(String name) {
        return new Task(Workloads.named(name), SIZES.get(name));
    }
}
