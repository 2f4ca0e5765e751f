package io.gpuvm.sched.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/// Non-decreasing, piecewise linear function of time: constant or rising between two adjacent
/// corners. The growth between two moments is found in O(log n) for n corners.
final class Curve {
    private final long[] times;
    private final double[] heights;

    private Curve(long[] times, double[] heights) {
        this.times = times;
        this.heights = heights;
    }

    /// Returns the growth from one moment to another.
    double between(long fromNs, long toNs) {
        return at(toNs) - at(fromNs);
    }

    double at(long timeNs) {
        int corners = times.length;
        if (corners == 0 || timeNs <= times[0]) {
            return 0;
        }
        if (timeNs >= times[corners - 1]) {
            return heights[corners - 1];
        }
        int before = Steps.lastAtOrBefore(times, timeNs);
        double part =
                (double) (timeNs - times[before]) / (double) (times[before + 1] - times[before]);
        return heights[before] + part * (heights[before + 1] - heights[before]);
    }

    /// Collects the rises of a curve. Overlapping rises add up.
    static final class Builder {
        private record Corner(long timeNs, double amount) {}

        private final List<Corner> corners = new ArrayList<>();

        /// Adds a linear rise by an amount between two moments.
        Builder rise(long fromNs, long toNs, double amount) {
            // The command may have taken less time than the clock resolves.
            long end = Math.max(toNs, fromNs + 1);
            return slope(fromNs, end, amount / (end - fromNs));
        }

        /// Adds a rise by an amount per nanosecond between two moments.
        Builder slope(long fromNs, long toNs, double perNs) {
            corners.add(new Corner(fromNs, perNs));
            corners.add(new Corner(toNs, -perNs));
            return this;
        }

        Curve build() {
            return build(slope -> slope);
        }

        /// @param shape slope of the curve as a function of the sum of slopes; not called where no
        ///   rise is active
        Curve build(DoubleUnaryOperator shape) {
            corners.sort(Comparator.comparingLong(Corner::timeNs));
            long[] times = new long[corners.size()];
            double[] heights = new double[corners.size()];
            int last = -1;
            int rising = 0;
            double slope = 0;
            for (Corner corner : corners) {
                if (last < 0 || times[last] != corner.timeNs) {
                    double height = 0;
                    if (last >= 0) {
                        double risen = rising == 0 ? 0 : shape.applyAsDouble(slope);
                        height = heights[last] + risen * (corner.timeNs - times[last]);
                    }
                    last++;
                    times[last] = corner.timeNs;
                    heights[last] = height;
                }
                slope += corner.amount;
                // Because of rounding, a sum of fractions need not return to exactly 0.
                rising += corner.amount > 0 ? 1 : corner.amount < 0 ? -1 : 0;
                if (rising == 0) {
                    slope = 0;
                }
            }
            return new Curve(Arrays.copyOf(times, last + 1), Arrays.copyOf(heights, last + 1));
        }
    }
}
