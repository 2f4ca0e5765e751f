package io.gpuvm.linux.agent;

import java.util.concurrent.locks.LockSupport;

/// Wait for signals of other threads of this process only: parks in the JVM, which needs no
/// descriptor. A later wait may be on another thread.
public final class ThreadWait implements WaitPoint {
    /// Written before the wait is announced ([Parking]), so that a signalling thread sees it.
    private Thread waiting;

    @Override
    public void prepare() {
        waiting = Thread.currentThread();
    }

    @Override
    public void await(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    @Override
    public void signal() {
        LockSupport.unpark(waiting);
    }
}
