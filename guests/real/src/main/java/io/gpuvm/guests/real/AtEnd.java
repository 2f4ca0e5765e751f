package io.gpuvm.guests.real;

/// Action at the end of a run: when this object is closed, or earlier when a signal terminates the
/// JVM. The action runs once. The closing thread and the shutdown hook both wait for the action's
/// end, because the JVM halts when the hook ends, and would interrupt the action on the other
/// thread.
public final class AtEnd implements AutoCloseable {
    private final Runnable action;
    private final Thread hook;

    /// True once the action has begun. Guarded by this object's monitor.
    private boolean begun;

    public AtEnd(Runnable action) {
        this.action = action;
        this.hook = new Thread(this::run, "run-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The JVM shuts down: the hook is running.
        }
    }

    private synchronized void run() {
        if (!begun) {
            begun = true;
            action.run();
        }
    }
}
