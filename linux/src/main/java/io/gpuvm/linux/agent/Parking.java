package io.gpuvm.linux.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Sleep of one thread, and wake-up by other threads.
///
/// ```text
///  waker                                    sleeper
///  publishes work                           raises its parked flag
///  full fence                               full fence
///  signals if the flag is raised            checks for work; waits if there is none
/// ```
///
/// If both threads run these steps at the same time, either the check finds the work, or the signal
/// ends the wait, because at least one thread sees the write of the other thread. While the thread
/// is awake, a wake-up costs a fence and a load. If several threads wake a sleeping thread, only
/// one of them signals.
public final class Parking {
    private static final VarHandle STATE;
    private static final int AWAKE = 0;
    private static final int PARKED = 1;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Parking.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WaitPoint point;

    @SuppressWarnings("unused") // through STATE
    private int state = AWAKE;

    /// @param point wait point of the thread
    public Parking(WaitPoint point) {
        this.point = point;
    }

    /// Ensures that the thread finds the work that the caller has published. Any thread; a system
    /// call only if the thread sleeps.
    public void wake() {
        VarHandle.fullFence();
        wakeAfterFence();
    }

    /// Wakes the thread like [#wake()], for a caller that has published work by a volatile write or
    /// by an atomic operation with volatile semantics. Later volatile reads are not reordered
    /// before such a write, so no fence is needed.
    public void wakeAfterFence() {
        if ((int) STATE.getVolatile(this) == PARKED && STATE.compareAndSet(this, PARKED, AWAKE)) {
            point.signal();
        }
    }

    /// Checks for work. If there is none, sleeps until another thread wakes this thread, the time
    /// expires, or the wait ends for another reason. One thread at a time.
    ///
    /// @return whether the thread has waited
    public boolean park(Parkable who) {
        boolean slept = false;
        announce();
        try {
            if (who.mayPark()) {
                long nanos = who.nanosUntilWork();
                // A thread that has woken this thread since the announcement has also signalled;
                // the check may have consumed the signal, so this thread must not wait.
                if (isAnnounced()) {
                    slept = true;
                    point.await(nanos);
                }
            }
        } finally {
            withdraw();
            who.onAwake(slept);
        }
        return slept;
    }

    /// Announces that the thread is about to sleep. Afterwards, the thread must check for work one
    /// last time.
    void announce() {
        point.prepare();
        STATE.setRelease(this, PARKED);
        VarHandle.fullFence();
    }

    /// Returns whether no thread has woken this thread since [#announce()].
    boolean isAnnounced() {
        return (int) STATE.getOpaque(this) == PARKED;
    }

    /// Withdraws the announcement: the thread is awake and checks for work without a wake-up.
    void withdraw() {
        STATE.setOpaque(this, AWAKE);
    }
}
