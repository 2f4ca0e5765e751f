package io.gpuvm.pv.bare;

import java.util.ArrayDeque;
import java.util.Deque;

/// Stack of opened resources, closed in reverse order, all of them even if some fail.
final class CloseStack {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    void push(Runnable closing) {
        closings.push(closing);
    }

    /// Closes everything.
    ///
    /// @return the first failure, with later ones suppressed; null if none failed
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
