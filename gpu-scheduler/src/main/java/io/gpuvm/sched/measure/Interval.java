package io.gpuvm.sched.measure;

/// Use of a GPU in an interval of time, and entitlements of the virtual machines.
///
/// @param fromNs start of the interval
/// @param toNs end of the interval
/// @param shares fraction of the used GPU time, 0 to 1, by virtual machine; all 0 if no time was
///   used
/// @param entitled fraction to which a virtual machine was entitled, 0 to 1, by virtual machine
///   (see [Fairness]); all 0 if no virtual machine wanted the GPU
/// @param jain Jain's index of shares over entitled shares: 1 if each virtual machine received its
///   entitlement, 1/n if one of n received all time; NaN if undefined: the GPU was unused, or fewer
///   than two virtual machines competed for at least half of the interval
/// @param utilization used GPU time as a fraction of the interval, 0 to 1
public record Interval(
        long fromNs,
        long toNs,
        double[] shares,
        double[] entitled,
        double jain,
        double utilization) {
    /// Returns the largest difference between a virtual machine's share and its entitlement, 0 to
    /// 1.
    public double maxDeviation() {
        double largest = 0;
        for (int vm = 0; vm < shares.length; vm++) {
            largest = Math.max(largest, Math.abs(deviation(vm)));
        }
        return largest;
    }

    /// Returns a virtual machine's share minus its entitlement; 0 if the GPU was unused.
    public double deviation(int vm) {
        return utilization == 0 ? 0 : shares[vm] - entitled[vm];
    }
}
