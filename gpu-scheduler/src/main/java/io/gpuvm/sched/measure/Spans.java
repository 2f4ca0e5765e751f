package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Disjoint, ordered spans of time.
///
/// @param starts first nanosecond of each span
/// @param ends nanosecond after each span
record Spans(long[] starts, long[] ends) {
    /// Returns the union of spans that are sorted by start and may overlap.
    ///
    /// @param patienceNs largest gap that is closed, in nanoseconds
    static Spans covering(long[] starts, long[] ends, long patienceNs) {
        long[] from = new long[starts.length];
        long[] to = new long[starts.length];
        int last = -1;
        for (int i = 0; i < starts.length; i++) {
            if (last >= 0 && starts[i] - to[last] <= patienceNs) {
                to[last] = Math.max(to[last], ends[i]);
            } else {
                last++;
                from[last] = starts[i];
                to[last] = ends[i];
            }
        }
        return new Spans(Arrays.copyOf(from, last + 1), Arrays.copyOf(to, last + 1));
    }

    int size() {
        return starts.length;
    }

    /// Returns the start of the span that contains a moment; the moment itself if none contains it.
    long startOf(long timeNs) {
        int at = Steps.lastAtOrBefore(starts, timeNs);
        return at >= 0 && timeNs < ends[at] ? starts[at] : timeNs;
    }

    /// Restricts a curve's growth to the spans.
    ///
    /// @return growth within the spans, queried like the curve
    Part of(Curve whole) {
        double[] before = new double[size() + 1];
        for (int i = 0; i < size(); i++) {
            before[i + 1] = before[i] + whole.between(starts[i], ends[i]);
        }
        return new Part(this, whole, before);
    }

    /// Growth of a curve within spans only.
    record Part(Spans spans, Curve whole, double[] before) {
        double between(long fromNs, long toNs) {
            return at(toNs) - at(fromNs);
        }

        private double at(long timeNs) {
            int span = Steps.lastAtOrBefore(spans.starts, timeNs);
            if (span < 0) {
                return 0;
            }
            long end = Math.min(timeNs, spans.ends[span]);
            return before[span] + whole.between(spans.starts[span], end);
        }
    }
}
