package io.gpuvm.pv.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/// What is to be freed once the GPU has done the work that was submitted before. Any thread.
final class DeferredFrees {
    private record Entry(QueuePositions needed, Runnable release) {}

    private final CommandQueues queues;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long freed;

    DeferredFrees(CommandQueues queues) {
        this.queues = queues;
    }

    /// Frees something as soon as all work is done that may use it: at once, or in one of the next
    /// calls here. Nobody may be able to submit such work any more.
    ///
    /// @param release is called with a lock held: it must not wait for who frees something
    void add(Runnable release) {
        QueuePositions needed = queues.submitted();
        synchronized (entries) {
            entries.addLast(new Entry(needed, release));
        }
        collect();
    }

    /// Frees what can be freed. Later entries need all that earlier ones do.
    void collect() {
        // Freed under the lock: who finds no entry finds what was in it free.
        synchronized (entries) {
            while (!entries.isEmpty() && entries.peekFirst().needed.isDone()) {
                entries.removeFirst().release.run();
                freed++;
            }
        }
    }

    /// How many were freed so far.
    long freed() {
        synchronized (entries) {
            return freed;
        }
    }

    /// Waits until more has been freed.
    ///
    /// @param known how many were
    /// @return false if there is nothing to be freed
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
