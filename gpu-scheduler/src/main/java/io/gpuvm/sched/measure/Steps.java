package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Search in moments that are in order.
final class Steps {
    private Steps() {}

    /// Index of the last one that is not after a time; -1 if all are.
    static int lastAtOrBefore(long[] moments, long timeNs) {
        int found = Arrays.binarySearch(moments, timeNs);
        return found >= 0 ? found : -found - 2;
    }
}
