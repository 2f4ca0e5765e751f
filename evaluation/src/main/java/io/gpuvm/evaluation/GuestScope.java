package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// Folder and processes of a guest, or of several guests of one backend. They end in the reverse
/// order of their start, so that guests end before their backend. One thread.
final class GuestScope implements AutoCloseable {
    private final RunFolder folder;
    private final Children children;
    private final Deque<Runnable> ends = new ArrayDeque<>();

    /// @param folder folder for sockets and logs
    /// @param children starts processes
    GuestScope(RunFolder folder, Children children) {
        this.folder = folder;
        this.children = children;
    }

    RunFolder folder() {
        return folder;
    }

    Children children() {
        return children;
    }

    /// Adds a resource.
    ///
    /// @param end ends the resource when this object is closed
    /// @return the resource
    <T> T add(T resource, Consumer<? super T> end) {
        ends.push(() -> end.accept(resource));
        return resource;
    }

    /// Ends all resources, even if ending one of them fails. A second call has no effect.
    ///
    /// @throws RuntimeException the first failure; later failures are attached as suppressed
    ///   exceptions
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!ends.isEmpty()) {
            try {
                ends.pop().run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
