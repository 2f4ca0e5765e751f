package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.util.ArrayList;
import java.util.List;

/// Processes and folders of an evaluation, none of which remains afterwards. A shutdown hook may
/// close this object concurrently with the evaluation's thread, which then cannot start further
/// processes.
final class RunResources implements AutoCloseable {
    private final Children children = new Children();
    private final List<RunFolder> folders = new ArrayList<>();
    private boolean closed;

    /// Starts processes; they end with the evaluation at the latest.
    Children children() {
        return children;
    }

    /// Creates a folder for sockets and logs of a guest and its backend.
    ///
    /// @throws GuestLostException if the evaluation has been interrupted
    synchronized RunFolder newFolder() {
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

    /// Removes a folder whose processes have ended.
    synchronized void remove(RunFolder folder) {
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
