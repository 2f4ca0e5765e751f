package io.gpuvm.guests.real;

/// Action at the end of a run: when this object is closed, and also when a signal terminates the
/// JVM before.
///
/// The action may run twice, on two threads.
public final class AtEnd implements AutoCloseable {
    private final Runnable action;
    private final Thread hook;

    public AtEnd(Runnable action) {
        this.action = action;
        this.hook = new Thread(action, "run-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        action.run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The JVM shuts down: the hook is running.
        }
    }
}
