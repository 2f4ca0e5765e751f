package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Spans of time that do not touch, in order.
///
/// @param starts first nanosecond of each
/// @param ends nanosecond after each
record Spans(long[] starts, long[] ends) {
    /// What is covered by others, which are in the order of their starts and may overlap.
    ///
    /// @param patienceNs gaps up to this are closed
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

    /// Start of the span that has a moment; the moment itself if none has.
    long startOf(long timeNs) {
        int at = Steps.lastAtOrBefore(starts, timeNs);
        return at >= 0 && timeNs < ends[at] ? starts[at] : timeNs;
    }

    /// How much of a curve's growth falls into the spans.
    ///
    /// @return a sum that is asked as the curve is
    Part of(Curve whole) {
        double[] before = new double[size() + 1];
        for (int i = 0; i < size(); i++) {
            before[i + 1] = before[i] + whole.between(starts[i], ends[i]);
        }
        return new Part(this, whole, before);
    }

    /// Growth of a curve inside of spans only.
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
