package io.gpuvm.evaluation;

import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Sizes of the workloads in an evaluation; `docs/evaluation.md` gives the reasons. A workload
/// without an entry has a quarter of its usual size, or a sixteenth in a quick evaluation.
final class WorkloadSizes {
    /// Sizes of a workload.
    ///
    /// @param whole size in a whole evaluation, which an emulated processor verifies within seconds
    /// @param quick size in a quick evaluation
    private record Sizes(int whole, int quick) {}

    private static final int MIB = 1 << 20;

    /// Divisor of the usual size of a workload without an entry, in a whole evaluation.
    private static final int WHOLE_DIVISOR = 4;

    /// Divisor of the usual size of a workload without an entry, in a quick evaluation.
    private static final int QUICK_DIVISOR = 16;

    private static final Map<String, Sizes> SIZES = new LinkedHashMap<>();

    static {
        SIZES.put("loop", new Sizes(20_000, 2_000));
        SIZES.put("madd", new Sizes(512, 128));
        SIZES.put("mmul", new Sizes(256, 64));
        SIZES.put("fmadd", new Sizes(512, 128));
        SIZES.put("fmmul", new Sizes(256, 64));
        SIZES.put("cpy", new Sizes(16 * MIB, 2 * MIB));
        SIZES.put("pincpy", new Sizes(16 * MIB, 2 * MIB));
        SIZES.put("nop", new Sizes(1_000, 100));
        SIZES.put("delay", new Sizes(500, 50));
        SIZES.put("spin", new Sizes(2_000_000, 10_000));
        SIZES.put("mix", new Sizes(20_000, 4_000));
        SIZES.put("backprop", new Sizes(16_384, 4_096));
        SIZES.put("bfs", new Sizes(32_768, 4_096));
        SIZES.put("hotspot", new Sizes(256, 64));
        SIZES.put("lud", new Sizes(256, 64));
        SIZES.put("nn", new Sizes(65_536, 8_192));
        SIZES.put("nw", new Sizes(512, 128));
        SIZES.put("srad", new Sizes(128, 32));
        SIZES.put("srad2", new Sizes(128, 32));
        SIZES.put("heartwall", new Sizes(8, 2));
    }

    private WorkloadSizes() {}

    /// Returns the tasks of an evaluation.
    ///
    /// @param names names of workloads; empty for all
    /// @throws IllegalArgumentException if a name is not that of a workload
    static List<Task> tasks(List<String> names, boolean quick) {
        List<Task> tasks = new ArrayList<>();
        if (names.isEmpty()) {
            Workloads.all().forEach(workload -> tasks.add(task(workload.name(), quick)));
        }
        names.forEach(name -> tasks.add(task(name, quick)));
        return List.copyOf(tasks);
    }

    private static Task task(String name, boolean quick) {
        var workload = Workloads.named(name);
        Sizes sizes = SIZES.get(name);
        if (sizes != null) {
            return new Task(workload, quick ? sizes.quick() : sizes.whole());
        }
        int part = workload.size().usual() / (quick ? QUICK_DIVISOR : WHOLE_DIVISOR);
        return new Task(workload, Math.max(workload.size().least(), part));
    }
}
