package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import java.util.ArrayList;
import java.util.List;

/// Which address spaces have changed since the GPU was last asked to flush. However many commands
/// of a turn change a space, the GPU is asked once, at the end. Confined to the poller.
final class SpaceFlushes {
    private final GpuRequests requests;
    private final GuestMemory memory;
    private final Answers answers;
    private final GuestCounts counts;

    /// Some of them may have been flushed in between.
    private final List<GuestSpace> dirty = new ArrayList<>();

    SpaceFlushes(GpuRequests requests, GuestMemory memory, Answers answers, GuestCounts counts) {
        this.requests = requests;
        this.memory = memory;
        this.answers = answers;
        this.counts = counts;
    }

    /// How many flushes are under way, or will be at the end of the turn, at most.
    int outstanding() {
        return answers.flushesUnderWay() + dirty.size();
    }

    /// A command was at work on an address space. Of one that the GPU has never seen, it remembers
    /// nothing; tables that have left their directories can be used again after a flush only.
    ///
    /// @param changed whether the command has ended and changed something
    void note(GuestSpace space, boolean changed) {
        if ((changed || memory.wantsFlush()) && space.shown && !space.dirty) {
            space.dirty = true;
            dirty.add(space);
        }
    }

    /// Asks for the last flush of an address space, which was destroyed.
    void askLast(GuestSpace space) {
        ask(space);
        space.lastFlush = answers.flushesAsked();
    }

    /// Asks for all that are needed, once for each address space.
    void askAll() {
        for (int i = 0; i < dirty.size(); i++) {
            if (dirty.get(i).dirty) {
                ask(dirty.get(i));
            }
        }
        dirty.clear();
        answers.allAsked();
        memory.flushAsked(answers.flushesAsked());
    }

    private void ask(GuestSpace space) {
        space.dirty = false;
        requests.flush(space.tables().directoryIova());
        answers.flushAsked();
        counts.add(PvCounter.FLUSHES, 1);
    }
}
