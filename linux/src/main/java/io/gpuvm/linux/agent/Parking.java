package io.gpuvm.linux.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Decides when one thread sleeps, and whether other threads must wake it.
///
/// ```text
///  waker                                    sleeper
///  publishes work                           raises its parked flag
///  full fence                               full fence
///  flag raised? then signals                checks for work; none? then waits
/// ```
///
/// At least one of two threads that do this at the same time sees the other's write, so either the
/// check finds the work, or the wait ends. Waking costs a fence and a load while the thread is
/// awake; of several wakers of a sleeping thread, one signals.
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

    /// @param point place of the thread's waits
    public Parking(WaitPoint point) {
        this.point = point;
    }

    /// Ensures that the thread finds the work that the caller has published. Any thread; a system
    /// call only if the thread sleeps.
    public void wake() {
        VarHandle.fullFence();
        wakeAfterFence();
    }

    /// As [#wake()], for a caller that has published work by a volatile write, or by an atomic
    /// operation with its effects: no later volatile read precedes these, so that they need no
    /// fence.
    public void wakeAfterFence() {
        if ((int) STATE.getVolatile(this) == PARKED && STATE.compareAndSet(this, PARKED, AWAKE)) {
            point.signal();
        }
    }

    /// Sleeps until another thread wakes this thread, the time expires, or the wait ends for
    /// another reason, unless there is work. One thread at a time.
    ///
    /// @return whether the thread has waited
    public boolean park(Parkable who) {
        boolean slept = false;
        announce();
        try {
            if (who.mayPark()) {
                long nanos = who.nanosUntilWork();
                // A waker in the meantime has signalled, perhaps to the wait point that the check
                // used.
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

    /// Announces that the thread is about to sleep. The thread checks for work once more
    /// afterwards.
    void announce() {
        point.prepare();
        STATE.setRelease(this, PARKED);
        VarHandle.fullFence();
    }

    /// Returns whether no thread has woken this thread since [#announce()].
    boolean isAnnounced() {
        return (int) STATE.getOpaque(this) == PARKED;
    }

    /// Withdraws the announcement: the thread checks for work without a wake-up.
    void withdraw() {
        STATE.setOpaque(this, AWAKE);
    }
}
