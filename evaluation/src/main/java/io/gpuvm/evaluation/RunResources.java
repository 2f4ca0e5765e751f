package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.util.ArrayList;
import java.util.List;

/// Processes and folders of an evaluation, none of which remains after this object is closed. A
/// shutdown hook may close this object concurrently with the evaluation's thread, which then cannot
/// start further processes.
final class RunResources implements AutoCloseable {
    private final Children children = new Children();
    private final List<RunFolder> folders = new ArrayList<>();
    private boolean closed;

    /// Function that starts one or several guests.
    interface Start<T> {
        /// @param scope receives the resources, which the result ends
        T in(GuestScope scope) throws InterruptedException;
    }

    /// Returns the starter of processes, which end with the evaluation at the latest.
    Children children() {
        return children;
    }

    /// Starts a guest, or several guests, in a new scope. If the start fails, its scope is closed.
    <T> T start(Start<T> start) throws InterruptedException {
        GuestScope scope = newScope();
        try {
            return start.in(scope);
        } catch (InterruptedException | RuntimeException | Error e) {
            try {
                scope.close();
            } catch (RuntimeException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    /// Creates a scope with a folder for sockets and logs.
    ///
    /// @throws GuestLostException if the evaluation has been interrupted
    GuestScope newScope() {
        RunFolder folder = newFolder();
        GuestScope scope = new GuestScope(folder, children);
        scope.add(folder, this::remove);
        return scope;
    }

    private synchronized RunFolder newFolder() {
        if (closed) {
            throw new GuestLostException("interrupted");
        }
        RunFolder folder = new RunFolder(false);
        folders.add(folder);
        return folder;
    }

    /// Returns whether this object is closed, by the evaluation's end or by a signal. Any thread.
    synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void remove(RunFolder folder) {
        folder.close();
        folders.remove(folder);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        children.close();
        synchronized (this) {
            folders.forEach(RunFolder::close);
            folders.clear();
        }
    }
}
