package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import java.util.ArrayList;
import java.util.List;

/// Address spaces that have changed since their last flush. One flush per space is requested at the
/// end of a turn, for all commands of that turn. Confined to the poller.
final class SpaceFlushes {
    private final GpuRequests requests;
    private final GuestMemory memory;
    private final FlushNumbers numbers;
    private final GuestCounts counts;

    /// Changed address spaces; some may have been flushed since.
    private final List<GuestSpace> dirty = new ArrayList<>();

    SpaceFlushes(
            GpuRequests requests, GuestMemory memory, FlushNumbers numbers, GuestCounts counts) {
        this.requests = requests;
        this.memory = memory;
        this.numbers = numbers;
        this.counts = counts;
    }

    /// Returns an upper bound on the number of flushes in flight at the end of the turn.
    int outstanding() {
        return numbers.underWay() + dirty.size();
    }

    /// Marks an address space for a flush if a command has changed its entries, or if removed
    /// tables need a flush before their reuse. A space that the GPU has never used is not marked.
    ///
    /// @param changed whether the command is complete and has changed entries
    void note(GuestSpace space, boolean changed) {
        if ((changed || memory.wantsFlush()) && space.shown && !space.dirty) {
            space.dirty = true;
            dirty.add(space);
        }
    }

    /// Requests the final flush of a destroyed address space.
    void askLast(GuestSpace space) {
        ask(space);
        space.lastFlush = numbers.asked();
    }

    /// Requests all pending flushes, one for each changed address space.
    void askAll() {
        for (int i = 0; i < dirty.size(); i++) {
            if (dirty.get(i).dirty) {
                ask(dirty.get(i));
            }
        }
        dirty.clear();
        memory.flushAsked(numbers.asked());
    }

    private void ask(GuestSpace space) {
        space.dirty = false;
        requests.flush(space.tables().directoryIova());
        numbers.ask();
        counts.add(PvCounter.FLUSHES, 1);
    }
}
