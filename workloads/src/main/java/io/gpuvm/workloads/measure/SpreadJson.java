package io.gpuvm.workloads.measure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.LongStream;

/// Spread as JSON. The keys are stable, and are described in `docs/workloads.md`.
public final class SpreadJson {
    private SpreadJson() {}

    /// Adds the quartiles of times, and all times.
    ///
    /// @param spread spread of the times in nanoseconds
    /// @param samplesNs times in nanoseconds, in the order of the rounds
    public static void addTimes(ObjectNode node, Spread spread, LongStream samplesNs) {
        node.put("minNs", Math.round(spread.least()));
        node.put("q1Ns", Math.round(spread.quartile1()));
        node.put("medianNs", Math.round(spread.median()));
        node.put("q3Ns", Math.round(spread.quartile3()));
        node.put("maxNs", Math.round(spread.most()));
        ArrayNode samples = node.putArray("samplesNs");
        samplesNs.forEach(samples::add);
    }

    /// Adds quartiles of ratios.
    public static void addRatio(ObjectNode node, Spread ratio) {
        node.put("min", ratio.least());
        node.put("q1", ratio.quartile1());
        node.put("median", ratio.median());
        node.put("q3", ratio.quartile3());
        node.put("max", ratio.most());
    }
}
