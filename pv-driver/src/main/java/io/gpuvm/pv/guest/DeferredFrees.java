package io.gpuvm.pv.guest;

import java.util.ArrayDeque;
import java.util.Deque;

/// What is to be freed once the GPU has done the work that was submitted before. Any thread.
final class DeferredFrees {
    private record Entry(Progress needed, Runnable release) {}

    private final CommandQueues queues;
    private final Deque<Entry> entries = new ArrayDeque<>();

    DeferredFrees(CommandQueues queues) {
        this.queues = queues;
    }

    /// Frees something as soon as all work is done that may use it: at once, or in one of the next
    /// calls here. Nobody may be able to submit such work any more.
    void add(Runnable release) {
        Progress needed = queues.submitted();
        synchronized (entries) {
            entries.addLast(new Entry(needed, release));
        }
        collect();
    }

    /// Frees what can be freed.
    ///
    /// @return whether anything was
    boolean collect() {
        boolean any = false;
        Runnable release = next();
        while (release != null) {
            release.run();
            any = true;
            release = next();
        }
        return any;
    }

    /// Waits until something could be freed.
    ///
    /// @return false if there is nothing
    boolean awaitOne() {
        Entry oldest;
        synchronized (entries) {
            oldest = entries.peekFirst();
        }
        if (oldest == null) {
            return false;
        }
        oldest.needed.await();
        collect();
        return true;
    }

    /// Later entries need all that earlier ones do.
    private Runnable next() {
        synchronized (entries) {
            Entry oldest = entries.peekFirst();
            if (oldest == null || !oldest.needed.isDone()) {
                return null;
            }
            return entries.removeFirst().release;
        }
    }
}
