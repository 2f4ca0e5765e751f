package io.gpuvm.pv.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/// Deferred releases, each of which runs once the GPU has done the work submitted before it. Any
/// thread.
final class DeferredFrees {
    private record Entry(QueuePositions needed, Runnable release) {}

    private final CommandQueues queues;
    private final int most;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long freed;

    /// @param most maximum number of releases that a call runs
    DeferredFrees(CommandQueues queues, int most) {
        this.queues = queues;
        this.most = most;
    }

    /// Releases a resource once all work that may use it is done: immediately, or in a later call
    /// to this class. The resource must already be unavailable for new work.
    ///
    /// @param release releases the resource; called under a lock, so it must not wait for a thread
    ///   that frees a resource
    void add(Runnable release) {
        QueuePositions needed = queues.submitted();
        synchronized (entries) {
            entries.addLast(new Entry(needed, release));
        }
        collect();
    }

    /// Runs the releases whose work is done, up to the maximum number. Each release depends on all
    /// work on which earlier releases depend.
    void collect() {
        // The releases run under the lock, so that a thread which finds no entry finds its resource
        // released.
        synchronized (entries) {
            for (int run = 0; run < most && isFirstPossible(); run++) {
                entries.removeFirst().release.run();
                freed++;
            }
        }
    }

    private boolean isFirstPossible() {
        return !entries.isEmpty() && entries.peekFirst().needed.isDone();
    }

    /// Returns the total number of releases.
    long freed() {
        synchronized (entries) {
            return freed;
        }
    }

    Releases releases() {
        synchronized (entries) {
            return new Releases(freed + entries.size(), freed);
        }
    }

    /// Waits for another release.
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
