package io.gpuvm.linux.agent;

import java.util.concurrent.locks.LockSupport;

/// A wait for nothing but other threads of this process: a condition of the JVM's, which costs no
/// descriptor. Another thread may wait here next time.
public final class ThreadWait implements WaitPoint {
    /// Written before the wait is announced ([Parking]), so that who signals it sees it.
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
