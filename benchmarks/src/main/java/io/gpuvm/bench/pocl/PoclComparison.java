package io.gpuvm.bench.pocl;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.measure.Spread;
import io.gpuvm.workloads.measure.SpreadJson;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// Results of a comparison and its conditions. `docs/benchmarks.md` describes the keys of its JSON.
///
/// @param gpu software GPU, as on the command line
/// @param processors number of processors visible to the JVM, which the software GPU uses by
///   default
record PoclComparison(
        String gpu,
        int processors,
        PoclDescription pocl,
        int warmups,
        long seed,
        List<Row> workloads) {
    /// Workload, its size and its launch times.
    record Row(String name, int size, LaunchTimes times) {
        private static final double NS_PER_MS = 1e6;

        /// Returns a line such as `mmul 1024: soft 612.11 ms, PoCL 100.02 ms, ratio 6.120 (5.900 to
        /// 6.400), 11 rounds`.
        String line() {
            Spread ratio = times.ratio();
            return String.format(
                    Locale.ROOT,
                    "%-8s %5d: soft %9.2f ms, PoCL %9.2f ms,"
                            + " ratio %7.3f (%.3f to %.3f), %d rounds",
                    name,
                    size,
                    times.soft().median() / NS_PER_MS,
                    times.pocl().median() / NS_PER_MS,
                    ratio.median(),
                    ratio.least(),
                    ratio.most(),
                    times.rounds().size());
        }

        private ObjectNode toJson() {
            ObjectNode node = JsonNodeFactory.instance.objectNode();
            node.put("name", name);
            node.put("size", size);
            node.put("launches", times.work().launches());
            node.put("operations", times.work().operations());
            node.put("unit", times.work().unit());
            addTimes(node.putObject("soft"), times.soft(), LaunchTimes.Round::softNs);
            addTimes(node.putObject("pocl"), times.pocl(), LaunchTimes.Round::poclNs);
            SpreadJson.addRatio(node.putObject("ratio"), times.ratio());
            return node;
        }

        private void addTimes(
                ObjectNode node, Spread spread, ToLongFunction<LaunchTimes.Round> ns) {
            SpreadJson.addTimes(node, spread, times.rounds().stream().mapToLong(ns));
        }
    }

    PoclComparison {
        workloads = List.copyOf(workloads);
    }

    ObjectNode toJson() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("gpu", gpu);
        root.put("processors", processors);
        root.putObject("pocl")
                .put("version", pocl.version())
                .put("device", pocl.device())
                .put("computeUnits", pocl.computeUnits());
        root.put("warmups", warmups);
        root.put("seed", seed);
        ArrayNode nodes = root.putArray("workloads");
        workloads.forEach(row -> nodes.add(row.toJson()));
        return root;
    }
}
