package io.gpuvm.bench.fairness;

import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Idle time of the GPU between two commands, in microseconds.
///
/// @param queued gaps before commands that were queued when the previous command ended: the time to
///   detect the end, to choose the next command, and to start it
/// @param awaited gaps before commands that were submitted later
/// @param reaction first part of awaited gaps, until the guest's submission; includes times without
///   load
/// @param start second part of awaited gaps, from the submission to the kernel's first instruction
record IdleGaps(Quantiles queued, Quantiles awaited, Quantiles reaction, Quantiles start) {
    private static final double NANOS_PER_US = 1e3;
    private static final double HALF = 0.5;
    private static final double NEARLY_ALL = 0.99;

    /// @param count number of gaps
    record Quantiles(int count, double p50Us, double p99Us) {
        static Quantiles of(List<Long> ns) {
            Samples all = Samples.of(ns);
            return new Quantiles(
                    all.count(),
                    all.rank(HALF) / NANOS_PER_US,
                    all.rank(NEARLY_ALL) / NANOS_PER_US);
        }
    }

    /// @param commands commands of all guests
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
