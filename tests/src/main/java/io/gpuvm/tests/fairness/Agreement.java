package io.gpuvm.tests.fairness;

import java.util.Arrays;

/// How far three accounts of the same run are apart: the device's count of the time in which it
/// worked for each virtual machine, the scheduler's charges, and what the guests' kernels saw of
/// the GPU's clock. In seconds, by virtual machine, over the whole run, from one moment at which
/// all were idle to another.
///
/// @param sharesPct the largest difference between any two accounts of one virtual machine's share,
///   in percent of the GPU time that was used
/// @param secondsPct the largest difference between the device's seconds and those that are
///   charged, in percent of what the device counted for that virtual machine
record Agreement(
        double[] deviceSeconds,
        double[] chargedSeconds,
        double[] guestSeconds,
        double sharesPct,
        double secondsPct) {
    /// How far apart they may be.
    static final double LIMIT_PCT = 2;

    private static final double PERCENT = 100;

    static Agreement of(GpuUse use, double[] guestSeconds) {
        double[] device = use.deviceSeconds();
        double[] charged = use.chargedSeconds();
        double shares =
                Math.max(
                        largest(shares(device), shares(charged)),
                        Math.max(
                                largest(shares(device), shares(guestSeconds)),
                                largest(shares(charged), shares(guestSeconds))));
        double seconds = 0;
        for (int i = 0; i < device.length; i++) {
            double difference = Math.abs(device[i] - charged[i]);
            if (difference > 0) {
                seconds = Math.max(seconds, difference / device[i]);
            }
        }
        return new Agreement(device, charged, guestSeconds, PERCENT * shares, PERCENT * seconds);
    }

    boolean isGood() {
        return sharesPct <= LIMIT_PCT && secondsPct <= LIMIT_PCT;
    }

    private static double[] shares(double[] seconds) {
        double sum = Arrays.stream(seconds).sum();
        return Arrays.stream(seconds).map(each -> sum > 0 ? each / sum : 0).toArray();
    }

    private static double largest(double[] some, double[] others) {
        double largest = 0;
        for (int i = 0; i < some.length; i++) {
            largest = Math.max(largest, Math.abs(some[i] - others[i]));
        }
        return largest;
    }
}
