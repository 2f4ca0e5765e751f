package io.gpuvm.sched.measure;

/// Who used a GPU in a stretch of time, and who should have.
///
/// @param fromNs when it begins
/// @param toNs when it ends
/// @param shares each virtual machine's part of the GPU time that was used, 0 to 1; all 0 if none
///   was
/// @param entitled the part that it should have had, 0 to 1: see [Fairness]; all 0 if nobody wanted
///   any
/// @param jain Jain's index of shares over entitled shares, 1 if all have what they should and 1/n
///   if one of n has all; not a number if it means nothing: nothing was used, or fewer than two
///   wanted it for at least half of the time
/// @param utilization GPU time that was used, 0 to 1 of the time
public record Interval(
        long fromNs,
        long toNs,
        double[] shares,
        double[] entitled,
        double jain,
        double utilization) {
    /// The largest difference between a share and what it should have been, 0 to 1.
    public double maxDeviation() {
        double largest = 0;
        for (int vm = 0; vm < shares.length; vm++) {
            largest = Math.max(largest, Math.abs(deviation(vm)));
        }
        return largest;
    }

    /// A virtual machine's share less what it should have been. 0 for all if the GPU was not used.
    public double deviation(int vm) {
        return utilization == 0 ? 0 : shares[vm] - entitled[vm];
    }
}
