package io.gpuvm.pv.nouveau;

import java.util.ArrayList;
import java.util.List;

/// Segments of a channel that are not yet submitted. The queue merges adjacent segments, which then
/// need only one entry of the channel's ring. One thread at a time.
final class PushQueue {
    /// Maximum number of segments of one submission. nouveau permits 512 (`NOUVEAU_GEM_MAX_PUSH`);
    /// with fewer, the channel's ring has room for several submissions.
    static final int CAPACITY = 256;

    private final List<Push> pushes = new ArrayList<>();
    private int offers;

    /// Adds a segment.
    ///
    /// @return false if the queue is full
    boolean offer(Push push) {
        Push merged = pushes.isEmpty() ? null : pushes.getLast().merge(push);
        if (merged != null) {
            pushes.set(pushes.size() - 1, merged);
        } else if (pushes.size() < CAPACITY) {
            pushes.add(push);
        } else {
            return false;
        }
        offers++;
        return true;
    }

    /// Returns the number of segments offered since the queue was last empty, including merged
    /// segments.
    int offers() {
        return offers;
    }

    boolean isEmpty() {
        return pushes.isEmpty();
    }

    /// Returns the segments in order; valid until the next change of the queue.
    List<Push> pushes() {
        return pushes;
    }

    void clear() {
        pushes.clear();
        offers = 0;
    }
}
