package io.gpuvm.pv.nouveau;

import java.util.function.IntPredicate;

/// Room in a channel's ring, as far as it is known without the GPU's read position, which nouveau
/// does not tell.
///
/// Each submission lists one of the channel's *markers*, buffers that no other channel lists. A
/// marker is busy until the last submission that listed it is complete. The markers take turns: a
/// marker is used again only if it is idle, and then all submissions that listed it are complete.
/// Asking for it makes Linux enable the GPU's interrupt, so it is asked for only when a marker's
/// turn comes. One thread at a time.
final class InFlight {
    /// Number of markers of a channel.
    static final int MARKERS = 2;

    /// Number of ring entries that nouveau adds to a submission, for its fence.
    private static final int ADDED_ENTRIES = 1;

    /// Maximum number of ring entries behind one marker. nouveau's ring has 1,023 entries
    /// (`NV50_DMA_IB_MAX`). If it is full, nouveau polls it under a lock that all requests need,
    /// and soon fails; so some entries always remain free, also for nouveau's own waits.
    private static final int MARKER_ENTRIES = 480;

    private final int[] entries = new int[MARKERS];
    private int current;

    /// Begins a submission.
    ///
    /// @param pushes number of segments, up to [PushQueue#CAPACITY]
    /// @param isBusy returns whether the marker with an index is busy
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
