package io.gpuvm.linux.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Decides for one thread when it sleeps, and for all others whether they have to wake it.
///
/// ```text
///  waker                                    sleeper
///  publishes work                           raises its parked flag
///  full fence                               full fence
///  flag raised? then signals                checks for work; none? then waits
/// ```
///
/// At least one of two threads that do this at the same time sees what the other has written, so
/// either the check finds the work, or the wait ends. Waking costs a fence and a load while the
/// thread is awake; of those that wake it while it sleeps, one signals.
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

    /// @param point where the thread waits
    public Parking(WaitPoint point) {
        this.point = point;
    }

    /// Sees to it that the thread finds what the caller has handed over. Any thread; a system call
    /// only if it sleeps.
    public void wake() {
        VarHandle.fullFence();
        wakeAfterFence();
    }

    /// As [#wake()], after something was handed over by a volatile write, or by an atomic operation
    /// with the effects of one: no later volatile read comes before these, so that they need no
    /// fence.
    public void wakeAfterFence() {
        if ((int) STATE.getVolatile(this) == PARKED && STATE.compareAndSet(this, PARKED, AWAKE)) {
            point.signal();
        }
    }

    /// Sleeps until somebody wakes the thread, the time is over, or the wait ends otherwise; unless
    /// there is something to do. One thread at a time.
    ///
    /// @return whether it has waited
    public boolean park(Parkable who) {
        boolean slept = false;
        announce();
        try {
            if (who.mayPark()) {
                long nanos = who.nanosUntilWork();
                // Who has woken it meanwhile has signalled, perhaps to what the look has waited
                // for.
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

    /// Says that the thread sleeps. It looks for work once more before it does.
    void announce() {
        point.prepare();
        STATE.setRelease(this, PARKED);
        VarHandle.fullFence();
    }

    /// Whether nobody has woken the thread since [#announce()].
    boolean isAnnounced() {
        return (int) STATE.getOpaque(this) == PARKED;
    }

    /// Says that the thread looks for work by itself.
    void withdraw() {
        STATE.setOpaque(this, AWAKE);
    }
}
