package io.gpuvm.bench.fairness;

import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// How long the GPU does nothing between two commands, in microseconds.
///
/// @param queued gaps before commands that were there when the one before ended: to see the end, to
///   decide, and to start
/// @param awaited gaps before commands that were submitted only then
/// @param reaction the part of those until the guest submitted; also what no guest was there for
/// @param start the part from there to the kernel's first instruction
record IdleGaps(Quantiles queued, Quantiles awaited, Quantiles reaction, Quantiles start) {
    private static final double NANOS_PER_US = 1e3;
    private static final double HALF = 0.5;
    private static final double NEARLY_ALL = 0.99;

    /// @param count how many there were
    record Quantiles(int count, double p50Us, double p99Us) {
        static Quantiles of(List<Long> ns) {
            Samples all = Samples.of(ns);
            return new Quantiles(
                    all.count(),
                    all.rank(HALF) / NANOS_PER_US,
                    all.rank(NEARLY_ALL) / NANOS_PER_US);
        }
    }

    /// @param commands of all guests
    static IdleGaps of(List<GuestTrace.Command> commands, long fromNs, long toNs) {
        GuestTrace.Command[] sorted = commands.toArray(GuestTrace.Command[]::new);
        Arrays.sort(sorted, Comparator.comparingLong(GuestTrace.Command::startedNs));
        List<Long> queued = new ArrayList<>();
        List<Long> awaited = new ArrayList<>();
        List<Long> reaction = new ArrayList<>();
        List<Long> start = new ArrayList<>();
        for (int i = 1; i < sorted.length; i++) {
            GuestTrace.Command next = sorted[i];
            long endNs = sorted[i - 1].endedNs();
            if (endNs < fromNs || next.startedNs() > toNs) {
                continue;
            }
            long gap = Math.max(0, next.startedNs() - endNs);
            if (next.submittedNs() <= endNs) {
                queued.add(gap);
            } else {
                awaited.add(gap);
                reaction.add(next.submittedNs() - endNs);
                start.add(next.startedNs() - next.submittedNs());
            }
        }
        return new IdleGaps(
                Quantiles.of(queued),
                Quantiles.of(awaited),
                Quantiles.of(reaction),
                Quantiles.of(start));
    }
}
