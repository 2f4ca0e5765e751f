package io.gpuvm.linux.agent;

import java.util.concurrent.locks.LockSupport;

/// Wait point for signals from other threads of this process only. Waits with [LockSupport], which
/// needs no descriptor. Successive waits may be on different threads.
public final class ThreadWait implements WaitPoint {
    /// Thread that waits. Written before the wait is announced ([Parking]), so that a signalling
    /// thread reads the current value.
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
