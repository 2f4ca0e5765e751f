package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.protocol.SessionState;

/// One session of a PCI function.
///
/// ```text
///  the function's thread                          the reception's thread
///  begin, end: wish                       ----->  ends the current session, begins another
///                                         <-----  state of the session
/// ```
///
/// The function's thread calls [#begin], [#end], [#begun], [#state] and [#ring]; the reception's
/// thread calls all other methods.
final class FunctionSession {
    /// Session that the function requests, on this machine's memory. Compared by identity.
    private static final class Wish {
        /// Memory of the machine; null to request that no session exists.
        private final MachineMemory machine;

        private Wish(MachineMemory machine) {
            this.machine = machine;
        }
    }

    /// Result of a wish.
    private record Outcome(Wish wish, SessionState state) {}

    private final int number;
    private final GuestSlots slots;
    private final GuestSlot slot;
    private final Runnable wakeGuest;

    /// Signalled by the function's thread on behalf of the guest; created by the reception's
    /// thread, null before the first session.
    private volatile EventFd wakeHost;

    private volatile Wish wish = new Wish(null);
    private volatile Outcome outcome = new Outcome(wish, SessionState.CLOSED);

    /// Number of beginnings. Function's thread only.
    private int begun;

    /// Last wish that was granted or refused. Reception's thread only.
    private Wish served = wish;

    /// Area of the session; null if no session exists. A broken slot keeps it. Reception's thread
    /// only.
    private AreaMemory memory;

    /// Memory of the machine that contains the area; null if no session exists. Reception's thread
    /// only.
    private MachineMemory machine;

    /// @param number number of the session
    /// @param wakeGuest wakes the guest; called on the poller's thread
    FunctionSession(int number, GuestSlots slots, Runnable wakeGuest) {
        this.number = number;
        this.slots = slots;
        this.wakeGuest = wakeGuest;
        slot = slots.get(number);
    }

    /// Begins the session, after its current guest has left.
    void begin(MachineMemory on) {
        begun++;
        wish = new Wish(on);
    }

    /// Ends the session.
    ///
    /// @return whether the session had begun
    boolean end() {
        if (wish.machine == null) {
            return false;
        }
        wish = new Wish(null);
        return true;
    }

    /// Returns the number of beginnings.
    int begun() {
        return begun;
    }

    /// Returns the state since the latest beginning.
    SessionState state() {
        Wish current = wish;
        Outcome latest = outcome;
        if (current.machine == null) {
            return SessionState.CLOSED;
        }
        return latest.wish == current ? latest.state : SessionState.PENDING;
    }

    /// Wakes the host.
    void ring() {
        EventFd event = wakeHost;
        if (event != null) {
            event.signal();
        }
    }

    /// Ends and begins the session as the function requests, and continues a departure. Waits for
    /// the GPU's owner at most once.
    ///
    /// @return amount of work done
    int doWork() {
        int work = 0;
        Wish wanted = wish;
        if (slot.isServed()) {
            if (slot.isDropped()) {
                outcome = new Outcome(served, SessionState.ENDED);
                slot.leave();
                work++;
            } else if (wanted != served) {
                slot.leave();
                work++;
            }
        }
        work += slot.doWork();
        if (slot.isFree() && memory != null) {
            // The machine may keep the area mapped; its pages are released.
            closeMemory();
            return work + 1;
        }
        if (!slot.isServed() && wanted != served && !slots.isAnyLeaving()) {
            serve(wanted);
            work++;
        }
        return work;
    }

    /// Returns whether the session uses a machine's memory.
    boolean uses(MachineMemory one) {
        return machine == one;
    }

    void close() {
        if (wakeHost != null) {
            wakeHost.close();
        }
    }

    private void serve(Wish wanted) {
        served = wanted;
        if (wanted.machine != null) {
            outcome = new Outcome(wanted, open(wanted.machine));
        }
    }

    private SessionState open(MachineMemory on) {
        if (slots.refusalOf(number) != null) {
            slots.onRefused();
            return SessionState.REFUSED;
        }
        try {
            memory = on.area(number);
            machine = on;
            slot.open(memory, HostWake.of(hostEvent()), wakeGuest);
        } catch (GpuDeviceException | LinuxException e) {
            slots.onRefused();
            slots.onFailed(e);
            if (slot.isFree() && memory != null) {
                closeMemory();
            }
            return SessionState.REFUSED;
        }
        return SessionState.OPEN;
    }

    private void closeMemory() {
        AreaMemory closed = memory;
        memory = null;
        machine = null;
        closed.close();
    }

    /// Returns the event that wakes the host, without signals of earlier guests.
    private EventFd hostEvent() {
        if (wakeHost == null) {
            wakeHost = EventFd.create();
        }
        wakeHost.drain();
        return wakeHost;
    }
}
