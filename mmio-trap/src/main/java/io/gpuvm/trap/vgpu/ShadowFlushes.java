package io.gpuvm.trap.vgpu;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.shadow.ShadowSpaces;
import java.util.ArrayDeque;

/// In-flight flushes of shadow translations, in order. Each flush results from a guest's request or
/// from a doorbell, and affects one or more shadow directories.
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

    /// Requests that the GPU drop the translations of all changed shadow directories.
    ///
    /// @param guests whether the guest waits for the flush
    /// @return whether a flush is now in flight; false if no directory has changed
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

    /// Called when the flush of one directory is complete.
    ///
    /// @return whether a flush for which the guest waits is now complete
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

    /// Forgets all flushes in flight, for which no completions will arrive.
    void clear() {
        flushes.clear();
    }
}
