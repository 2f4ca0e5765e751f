package io.gpuvm.pv.bare;

import java.util.ArrayDeque;
import java.util.Deque;

/// Stack of open resources. All of them are closed, in reverse order, even if some fail to close.
final class CloseStack {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    void push(Runnable closing) {
        closings.push(closing);
    }

    /// Closes all resources.
    ///
    /// @return first failure, with later failures suppressed; null if all resources were closed
    RuntimeException close() {
        RuntimeException first = null;
        while (!closings.isEmpty()) {
            try {
                closings.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }
}
