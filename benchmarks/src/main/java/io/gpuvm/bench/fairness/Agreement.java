package io.gpuvm.bench.fairness;

import java.util.Arrays;

/// How far three accounts of the same run are apart: the device's count of the time in which it
/// worked for each virtual machine, the scheduler's charges, and what the guests' kernels saw of
/// the GPU's clock. In seconds, by virtual machine, over the whole run, from one moment at which
/// all were idle to another.
///
/// @param sharesPct the largest difference between any two accounts of one virtual machine's share
///   of the GPU time that was used, in percent of all that was used
/// @param secondsPct the largest difference between the device's seconds of one virtual machine and
///   those that are charged to it, in percent of what the device counted for all
/// @param relativePct as `sharesPct`, in percent of that virtual machine's own share as the device
///   counted it. Not limited: what a change from one machine to the next costs is charged to the
///   command that follows and is no part of its kernel, so that it grows without bound as the
///   command gets shorter
record Agreement(
        double[] deviceSeconds,
        double[] chargedSeconds,
        double[] guestSeconds,
        double sharesPct,
        double secondsPct,
        double relativePct) {
    /// How far apart they may be.
    static final double LIMIT_PCT = 2;

    private static final double PERCENT = 100;

    static Agreement of(GpuUse use, double[] guestSeconds) {
        double[] device = use.deviceSeconds();
        double[] charged = use.chargedSeconds();
        double[] deviceShares = shares(device);
        double[] chargedShares = shares(charged);
        double[] guestShares = shares(guestSeconds);
        double all = Arrays.stream(device).sum();
        double shares = 0;
        double seconds = 0;
        double relative = 0;
        for (int i = 0; i < device.length; i++) {
            double least = Math.min(deviceShares[i], Math.min(chargedShares[i], guestShares[i]));
            double most = Math.max(deviceShares[i], Math.max(chargedShares[i], guestShares[i]));
            shares = Math.max(shares, most - least);
            seconds = Math.max(seconds, part(Math.abs(device[i] - charged[i]), all));
            relative = Math.max(relative, part(most - least, deviceShares[i]));
        }
        return new Agreement(
                device,
                charged,
                guestSeconds,
                PERCENT * shares,
                PERCENT * seconds,
                PERCENT * relative);
    }

    boolean isGood() {
        return sharesPct <= LIMIT_PCT && secondsPct <= LIMIT_PCT;
    }

    private static double[] shares(double[] seconds) {
        double sum = Arrays.stream(seconds).sum();
        return Arrays.stream(seconds).map(each -> sum > 0 ? each / sum : 0).toArray();
    }

    /// Infinite if there is a difference from nothing.
    private static double part(double difference, double whole) {
        return difference > 0 ? difference / whole : 0;
    }
}
