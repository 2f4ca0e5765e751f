package io.gpuvm.pv.bare;

import java.util.ArrayDeque;
import java.util.Deque;

/// What was opened one after the other, to be closed the other way round, all of it, whatever
/// fails.
final class CloseStack {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    void push(Runnable closing) {
        closings.push(closing);
    }

    /// Closes everything.
    ///
    /// @return the first failure, with those that came after suppressed; null if there was none
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
