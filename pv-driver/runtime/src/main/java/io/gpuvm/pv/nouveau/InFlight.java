package io.gpuvm.pv.nouveau;

import java.util.function.IntPredicate;

/// Lower bound of the room in a channel's ring. nouveau does not report the GPU's read position.
///
/// Each submission lists one of the channel's *markers*, buffers that no other channel lists. A
/// marker is busy until the last submission that lists the marker is complete. The channel uses its
/// markers alternately, and reuses a marker only when that marker is idle: all submissions that
/// list the marker are then complete. Because a query of a marker's state makes Linux enable the
/// GPU's interrupt, the channel queries a marker only before the reuse. One thread at a time.
final class InFlight {
    /// Number of markers of a channel.
    static final int MARKERS = 2;

    /// Number of ring entries that nouveau adds to a submission, for nouveau's fence.
    private static final int ADDED_ENTRIES = 1;

    /// Maximum number of ring entries of the submissions that list one marker. nouveau's ring has
    /// 1,023 entries (`NV50_DMA_IB_MAX`). If the ring is full, nouveau polls it under a lock that
    /// all requests need, and soon fails. Some entries therefore always remain free, also for
    /// nouveau's own waits.
    private static final int MARKER_ENTRIES = 480;

    private final int[] entries = new int[MARKERS];
    private int current;

    /// Begins a submission.
    ///
    /// @param pushes number of segments, up to [PushQueue#CAPACITY]
    /// @param isBusy returns whether the marker with the given index is busy
    /// @return index of the marker to list, -1 if there is no room
    int begin(int pushes, IntPredicate isBusy) {
        int more = pushes + ADDED_ENTRIES;
        if (entries[current] + more > MARKER_ENTRIES) {
            int next = (current + 1) % MARKERS;
            if (entries[next] > 0 && isBusy.test(next)) {
                return -1;
            }
            entries[next] = 0;
            current = next;
        }
        entries[current] += more;
        return current;
    }
}
