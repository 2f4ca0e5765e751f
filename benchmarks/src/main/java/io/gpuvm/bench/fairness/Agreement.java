package io.gpuvm.bench.fairness;

import java.util.Arrays;

/// Differences between three accounts of the same run: the device's count of its working time for
/// each virtual machine, the scheduler's charges, and the GPU time measured by the guests' kernels.
/// Accounts are in seconds per virtual machine, over the whole run, which begins and ends with all
/// virtual machines idle.
///
/// @param sharesPct largest difference between any two accounts of one virtual machine's share of
///   the used GPU time, in percent of all used time
/// @param secondsPct largest difference between the device's seconds of one virtual machine and the
///   seconds charged to it, in percent of the device's total
/// @param relativePct like `sharesPct`, in percent of that virtual machine's own share in the
///   device's count. It has no limit: the cost of a change between virtual machines is charged to
///   the next command and is not part of its kernel, so this difference grows without bound as
///   commands become shorter
record Agreement(
        double[] deviceSeconds,
        double[] chargedSeconds,
        double[] guestSeconds,
        double sharesPct,
        double secondsPct,
        double relativePct) {
    /// Maximum permitted difference of shares and of seconds, in percent.
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

    /// Returns a difference as a fraction of the whole; infinite if only the whole is zero.
    private static double part(double difference, double whole) {
        return difference > 0 ? difference / whole : 0;
    }
}
