package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.SessionState;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/// Acceptor of a place whose guest is a program in a virtual machine with the place's PCI function.
///
/// ```text
///  the function's thread                          the reception's thread
///  connect: area for this machine         ----->
///  begin, end: requested session          ----->  ends the current session, begins another
///                                         <-----  state of the session
///  disconnect: unused area                ----->  closes the area, once no session uses it
/// ```
///
/// The reception's thread calls the methods of [GuestAcceptor]; the function's thread calls all
/// other methods.
public final class FunctionAcceptor implements GuestAcceptor {
    /// Value that represents no event descriptor.
    public static final int NO_EVENT = -1;

    /// Session that the function requests, on this memory. Compared by identity.
    private static final class Wish {
        /// Memory of the session; null to request that no session exists.
        private final AreaMemory memory;

        private Wish(AreaMemory memory) {
            this.memory = memory;
        }
    }

    /// Result of a wish.
    private record Outcome(Wish wish, SessionState state) {}

    private final PvPlace place;
    private final GuestSlot slot;
    private final Runnable wake;
    private final Runnable wakeFunction;
    private final AreaLayout layout;
    private final EventFd wakeHost = EventFd.create();

    /// Areas of machines that have disconnected.
    private final Queue<AreaMemory> retired = new ConcurrentLinkedQueue<>();

    /// Event descriptor from the VMM for the guest's wake-up. Function's thread only: the VMM can
    /// make the next signal block, so no thread that serves other guests may signal it.
    private int interruptEvent = NO_EVENT;

    private volatile boolean interruptWanted;

    private volatile Wish wish = new Wish(null);
    private volatile Outcome outcome = new Outcome(wish, SessionState.CLOSED);

    /// Area of the connected machine; null if no machine is connected. Function's thread only.
    private AreaMemory memory;

    private int sessions;

    /// Last wish that was granted or refused. Reception's thread only.
    private Wish served = wish;

    /// @param wake makes the reception check again; any thread
    /// @param wakeFunction makes the function's thread call [#deliver()]; any thread
    /// @param clockNs monotonic clock, in nanoseconds
    FunctionAcceptor(
            PvPlace place,
            PvPoller poller,
            Runnable wake,
            Runnable wakeFunction,
            LongSupplier clockNs) {
        this.place = place;
        this.wake = wake;
        this.wakeFunction = wakeFunction;
        slot = new GuestSlot(place, poller, wake, clockNs);
        layout = AreaMemory.layoutOf(place, place.quotas().dataBytes());
    }

    /// Returns the length of each area in bytes, a multiple of the page size.
    public long areaBytes() {
        return layout.bytes();
    }

    /// Allocates the area of a machine that has connected.
    ///
    /// @return descriptor of the area, owned by the acceptor
    /// @throws LinuxException if Linux does not provide the memory
    public int connect() {
        memory = AreaMemory.create(place, layout);
        return memory.descriptor();
    }

    /// Ends the session of a machine that has disconnected, and closes its area afterwards.
    public void disconnect() {
        interrupt(NO_EVENT);
        wish = new Wish(null);
        if (memory != null) {
            retired.add(memory);
            memory = null;
        }
        wake.run();
    }

    /// Begins a session, after the current session has ended. A machine must be connected.
    public void begin() {
        sessions++;
        wish = new Wish(memory);
        wake.run();
    }

    /// Ends the session.
    public void end() {
        if (wish.memory != null) {
            wish = new Wish(null);
            wake.run();
        }
    }

    /// Returns the number of sessions begun.
    public int sessions() {
        return sessions;
    }

    /// Returns the state of the session begun last.
    public SessionState state() {
        Wish current = wish;
        Outcome latest = outcome;
        if (current.memory == null) {
            return SessionState.CLOSED;
        }
        return latest.wish == current ? latest.state : SessionState.PENDING;
    }

    /// Wakes the host.
    public void ring() {
        wakeHost.signal();
    }

    /// Sets the event that wakes the guest.
    ///
    /// @param eventDescriptor event descriptor, open until the next call, or [#NO_EVENT]
    public void interrupt(int eventDescriptor) {
        interruptEvent = eventDescriptor;
    }

    /// Interrupts the guest, if a wake-up is pending.
    ///
    /// @return number of interrupts delivered
    public int deliver() {
        if (!interruptWanted) {
            return 0;
        }
        interruptWanted = false;
        if (interruptEvent != NO_EVENT) {
            EventFd.signal(interruptEvent);
        }
        return 1;
    }

    /// Does nothing: no descriptor is needed, because each change wakes the reception's thread.
    @Override
    public void watch(EventWait at, int first, long nowNs) {
        at.set(first, Poller.NONE);
        at.set(first + 1, Poller.NONE);
    }

    @Override
    public int doWork(long nowNs, Runnable forget) {
        int work = 0;
        Wish wanted = wish;
        if (slot.isServed()) {
            if (slot.isDropped()) {
                outcome = new Outcome(served, SessionState.ENDED);
                slot.onDropped();
                work++;
            } else if (wanted != served) {
                slot.leave();
                work++;
            }
        }
        if (slot.isLeaving() && slot.isDropped()) {
            release();
            work++;
        }
        if (slot.isFree() && wanted != served) {
            serve(wanted);
            work++;
        }
        return work + closeRetired();
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public void dismiss() {
        slot.dismiss();
    }

    @Override
    public boolean isFree() {
        return slot.isFree();
    }

    @Override
    public void close() {
        if (slot.isFree()) {
            closeRetired();
        }
        wakeHost.close();
    }

    private void release() {
        if (slot.release()) {
            // The machine may keep the area mapped for its lifetime; its pages are released.
            served.memory.clear();
        }
    }

    private void serve(Wish wanted) {
        served = wanted;
        if (wanted.memory == null) {
            return;
        }
        outcome = new Outcome(wanted, open(wanted.memory));
    }

    private SessionState open(AreaMemory at) {
        if (slot.refusal() != null) {
            slot.onRefused();
            return SessionState.REFUSED;
        }
        try {
            at.clear();
            wakeHost.drain();
            slot.open(at, HostWake.of(wakeHost), this::wakeGuest);
        } catch (GpuDeviceException | LinuxException e) {
            slot.onRefused();
            slot.onFailed(e);
            return SessionState.REFUSED;
        }
        return SessionState.OPEN;
    }

    private void wakeGuest() {
        interruptWanted = true;
        wakeFunction.run();
    }

    private int closeRetired() {
        int closed = 0;
        while (!retired.isEmpty() && (slot.isFree() || served.memory != retired.peek())) {
            retired.poll().close();
            closed++;
        }
        return closed;
    }
}
