package io.gpuvm.trap.vgpu;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.shadow.ShadowSpaces;
import java.util.ArrayDeque;

/// The flushes of shadow translations that are under way in the GPU, in order: those that the guest
/// asked for, of one or more shadow directories each, and those that a doorbell made necessary.
///
/// Confined to the virtual machine's thread.
final class ShadowFlushes {
    private static final class Flush {
        final boolean guests;
        int directories;

        Flush(boolean guests) {
            this.guests = guests;
        }
    }

    private final ShadowSpaces spaces;
    private final GpuRequests requests;
    private final ArrayDeque<Flush> flushes = new ArrayDeque<>();

    ShadowFlushes(ShadowSpaces spaces, GpuRequests requests) {
        this.spaces = spaces;
        this.requests = requests;
    }

    /// Has the GPU drop translations of the shadow directories that have changed.
    ///
    /// @param guests whether the guest waits for it
    /// @return whether a flush is under way now; false if no directory has changed
    boolean begin(boolean guests) {
        Flush flush = new Flush(guests);
        flushes.add(flush);
        spaces.forEachToFlush(directory -> {
            flush.directories++;
            requests.flush(directory);
        });
        if (flush.directories > 0) {
            return true;
        }
        flushes.removeLast();
        return false;
    }

    /// One directory is done.
    ///
    /// @return whether this ends a flush that the guest waits for
    boolean onFlushed() {
        Flush first = flushes.peek();
        if (first == null) {
            return false;
        }
        first.directories--;
        if (first.directories > 0) {
            return false;
        }
        flushes.remove();
        return first.guests;
    }

    /// Forgets what is under way: no answer comes any more.
    void clear() {
        flushes.clear();
    }
}
