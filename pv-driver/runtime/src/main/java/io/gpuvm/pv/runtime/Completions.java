package io.gpuvm.pv.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Callbacks that run when points of streams are reached. One thread, which calls [#poll()]
/// repeatedly, serves all points of any number of contexts; no other thread waits. Confined to this
/// thread.
public final class Completions {
    /// Callback of a point.
    @FunctionalInterface
    public interface Callback {
        /// Called once, by [Completions#poll()], which the callback must not call.
        ///
        /// @param failure error of the context, or null if all work before the point is done
        void onDone(GpuException failure);
    }

    /// Age from which a point is awaited with an event of the transport: polling is faster for
    /// short work, and an event interrupts the GPU's owner.
    private static final long NEWS_AGE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private static final class Entry {
        private final GpuPoint point;
        private final Callback callback;
        private final long addedNs = System.nanoTime();
        private boolean newsRequested;

        Entry(GpuPoint point, Callback callback) {
            this.point = point;
            this.callback = callback;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    /// Index of the entry that [#poll(int)] checks first.
    private int next;

    /// Adds a callback, which also runs if the point is already reached.
    public void add(GpuPoint point, Callback callback) {
        entries.add(new Entry(point, callback));
    }

    /// Returns the number of callbacks that have not run.
    public int size() {
        return entries.size();
    }

    /// Runs the callbacks of all points that are reached, and of all points whose context has
    /// failed or is closed, in the order of their addition. A callback whose point is reached
    /// during the call may run in the next call.
    ///
    /// @return number of callbacks
    public int poll() {
        return poll(entries.size());
    }

    /// Runs callbacks as [#poll()] does, but checks a limited number of points: those behind the
    /// points that the last call has checked, so that successive calls check all of them.
    ///
    /// @param most maximum number of points
    /// @return number of callbacks
    public int poll(int most) {
        int before = entries.size();
        if (most >= before) {
            next = 0;
        }
        int done = 0;
        for (int checked = 0; checked < Math.min(most, before); checked++) {
            // Callbacks may have added entries behind the first ones.
            if (next >= before - done) {
                next = 0;
            }
            if (run(next)) {
                done++;
            } else {
                next++;
            }
        }
        return done;
    }

    /// @return whether the point is reached, and its callback has run
    private boolean run(int index) {
        Entry entry = entries.get(index);
        GpuException failure = null;
        try {
            if (!entry.point.isDone()) {
                requestNews(entry);
                return false;
            }
        } catch (GpuException e) {
            failure = e;
        }
        entries.remove(index);
        entry.callback.onDone(failure);
        return true;
    }

    private static void requestNews(Entry entry) {
        if (!entry.newsRequested && System.nanoTime() - entry.addedNs > NEWS_AGE_NS) {
            entry.newsRequested = true;
            entry.point.requestNews();
        }
    }
}
