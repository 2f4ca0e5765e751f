package io.gpuvm.shadow;

import io.gpuvm.statistics.Samples;
import java.util.Arrays;
import java.util.Locale;

/// Times of an operation and of its lower bound, measured alternately, so that other load on the
/// machine affects both.
final class SideBySide {
    private static final double NS_PER_US = 1000;

    private final String name;
    private final String floorName;
    private long[] timesNs = new long[1024];
    private long[] floorsNs = new long[1024];
    private int count;

    SideBySide(String name, String floorName) {
        this.name = name;
        this.floorName = floorName;
    }

    /// Adds one time of each operation.
    void add(long timeNs, long floorNs) {
        if (count == timesNs.length) {
            timesNs = Arrays.copyOf(timesNs, 2 * count);
            floorsNs = Arrays.copyOf(floorsNs, 2 * count);
        }
        timesNs[count] = timeNs;
        floorsNs[count] = floorNs;
        count++;
    }

    /// Prints medians, rates and the ratio, and then clears the times.
    ///
    /// @param amount number of units per operation
    /// @param unit name of the unit
    void print(long amount, String unit) {
        double timeNs = median(timesNs);
        double floorNs = median(floorsNs);
        System.out.printf(
                Locale.ROOT,
                "%n%s: %.1f us, %.1f M %s/s; %s: %.1f us, %.1f M %s/s; ratio %.3f (%d times)%n",
                name,
                timeNs / NS_PER_US,
                amount * NS_PER_US / timeNs,
                unit,
                floorName,
                floorNs / NS_PER_US,
                amount * NS_PER_US / floorNs,
                unit,
                timeNs / floorNs,
                count);
        count = 0;
    }

    private double median(long[] ns) {
        return Samples.of(Arrays.copyOf(ns, count)).median();
    }
}
