package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Binary search in sorted times.
final class Steps {
    private Steps() {}

    /// Returns the index of the last moment that is not after a time; -1 if all are after it.
    static int lastAtOrBefore(long[] moments, long timeNs) {
        int found = Arrays.binarySearch(moments, timeNs);
        return found >= 0 ? found : -found - 2;
    }
}
