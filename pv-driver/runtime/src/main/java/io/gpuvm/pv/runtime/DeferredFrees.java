package io.gpuvm.pv.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/// Releases that wait until the GPU has done the work submitted before them. Any thread.
final class DeferredFrees {
    private record Entry(QueuePositions needed, Runnable release) {}

    private final CommandQueues queues;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long freed;

    DeferredFrees(CommandQueues queues) {
        this.queues = queues;
    }

    /// Releases a resource as soon as all work is done that may use it: at once, or in one of the
    /// next calls of this class. No thread may be able to submit such work any more.
    ///
    /// @param release releases the resource; called under a lock, so it must not wait for a thread
    ///   that frees something
    void add(Runnable release) {
        QueuePositions needed = queues.submitted();
        synchronized (entries) {
            entries.addLast(new Entry(needed, release));
        }
        collect();
    }

    /// Runs the releases whose work is done. Later entries depend on all work that earlier ones
    /// depend on.
    void collect() {
        // Released under the lock: a thread that finds no entry finds its resource released.
        synchronized (entries) {
            while (!entries.isEmpty() && entries.peekFirst().needed.isDone()) {
                entries.removeFirst().release.run();
                freed++;
            }
        }
    }

    /// Number of releases so far.
    long freed() {
        synchronized (entries) {
            return freed;
        }
    }

    /// Waits until more has been released.
    ///
    /// @param known number of releases known to the caller
    /// @return false if no release is pending
    boolean awaitMore(long known) {
        Entry oldest;
        synchronized (entries) {
            if (freed != known) {
                return true;
            }
            oldest = entries.peekFirst();
        }
        if (oldest == null) {
            return false;
        }
        oldest.needed.await();
        collect();
        return true;
    }
}
