package io.gpuvm.cuda.service;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Compilations and links of one virtual machine, whose sessions share the queue: they run on a
/// thread of the virtual machine, one at a time, in the order of the calls, and as far as its
/// [CompileAccount] permits. Confined to the poller.
public final class LinkQueue {
    private final LinkCache cache;
    private final Consumer<Runnable> executor;
    private final CompileAccount account;

    /// Calls that have not begun.
    private final Queue<LinkTask> waiting = new ArrayDeque<>();

    /// Link that has begun last and may not have ended; null if there is none.
    private Linking running;

    /// @param cacheBytes maximum memory of results that are kept for further requests
    /// @param executor runs the links, on another thread than the poller's and than those of other
    ///   virtual machines
    public LinkQueue(long cacheBytes, Consumer<Runnable> executor) {
        this(cacheBytes, executor, System::nanoTime);
    }

    /// @param clock time in nanoseconds
    LinkQueue(long cacheBytes, Consumer<Runnable> executor, LongSupplier clock) {
        cache = new LinkCache(cacheBytes);
        this.executor = executor;
        account = new CompileAccount(clock);
    }

    LinkCache cache() {
        return cache;
    }

    /// Adds a call.
    void enter(LinkTask task) {
        waiting.add(task);
    }

    /// Removes a call that has not begun.
    void leave(LinkTask task) {
        waiting.remove(task);
    }

    /// Returns whether a call may begin: it is the first, no link is running, and the virtual
    /// machine has processor time.
    boolean mayBegin(LinkTask task) {
        if (running != null && running.isDone()) {
            account.charge(running.nanos());
            running = null;
        }
        return running == null && waiting.peek() == task && account.mayBegin();
    }

    /// Begins the link of the first call.
    void begin(Linking linking) {
        waiting.remove();
        running = linking;
        run(linking::read);
    }

    /// Runs a part of a link on its thread.
    void run(Runnable part) {
        executor.accept(part);
    }
}
