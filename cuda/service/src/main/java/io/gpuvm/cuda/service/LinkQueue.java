package io.gpuvm.cuda.service;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/// Compilations and links of one virtual machine, whose sessions share the queue: they run on a
/// thread of the virtual machine, one at a time, in the order of the calls, and as far as its
/// [CompileAccount] permits. Confined to the poller.
public final class LinkQueue {
    /// Number of internal errors that are logged, because guests choose the sources.
    private static final int LOGGED_ERRORS = 16;

    private final LinkCache cache;
    private final long compileBytes;
    private final Consumer<Runnable> executor;
    private final CompileAccount account;

    /// Calls that have not begun.
    private final Queue<LinkTask> waiting = new ArrayDeque<>();

    /// Link that has begun last and may not have ended; null if there is none.
    private Linking running;

    /// Number of internal errors. Confined to the thread of the links.
    private long errors;

    /// @param cacheBytes maximum memory of results that are kept for further requests
    /// @param compileBytes maximum memory of a compilation
    /// @param executor runs the links, on another thread than the poller's and than those of other
    ///   virtual machines
    public LinkQueue(long cacheBytes, long compileBytes, Consumer<Runnable> executor) {
        cache = new LinkCache(cacheBytes);
        this.compileBytes = compileBytes;
        this.executor = executor;
        account = new CompileAccount(System::nanoTime);
    }

    /// Counts an internal error, and returns whether it is logged. For the thread of the links.
    boolean mayLogError() {
        return errors++ < LOGGED_ERRORS;
    }

    /// Returns the results that are kept. For the thread of the links.
    LinkCache cache() {
        return cache;
    }

    /// Returns the maximum memory of a compilation. Any thread.
    long compileBytes() {
        return compileBytes;
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
        executor.accept(linking);
    }
}
