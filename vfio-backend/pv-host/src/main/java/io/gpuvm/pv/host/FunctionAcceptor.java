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

/// The acceptor of a place whose guest is a program in a virtual machine that has the place's PCI
/// function.
///
/// ```text
///  the function's thread                          the reception's thread
///  connect: an area for this machine      ----->
///  begin, end: what is wished for         ----->  the session that there is ends, another begins
///                                         <-----  how the session is
///  disconnect: the area is not used       ----->  closed, once no session is left on it
/// ```
///
/// The methods of a [GuestAcceptor] are for the reception's thread; all others are for the
/// function's.
public final class FunctionAcceptor implements GuestAcceptor {
    /// As an eventfd: none.
    public static final int NO_EVENT = -1;

    /// What the function wants: a session on this memory. Compared by identity.
    private static final class Wish {
        /// Null if there is to be no session.
        private final AreaMemory memory;

        private Wish(AreaMemory memory) {
            this.memory = memory;
        }
    }

    /// What became of a wish.
    private record Outcome(Wish wish, SessionState state) {}

    private final PvPlace place;
    private final GuestSlot slot;
    private final Runnable wake;
    private final Runnable wakeFunction;
    private final AreaLayout layout;
    private final EventFd wakeHost = EventFd.create();

    /// Areas of machines that are gone.
    private final Queue<AreaMemory> retired = new ConcurrentLinkedQueue<>();

    /// What the VMM gave for the guest's wake-up. The function's: whoever gave it can make the next
    /// signal wait, so none of those who serve others may send one.
    private int interruptEvent = NO_EVENT;

    private volatile boolean interruptWanted;

    private volatile Wish wish = new Wish(null);
    private volatile Outcome outcome = new Outcome(wish, SessionState.CLOSED);

    /// The area of the machine that is connected, null if there is none. The function's.
    private AreaMemory memory;

    private int sessions;

    /// The wish that was fulfilled last, or could not be. The reception's.
    private Wish served = wish;

    /// @param wake makes the reception look again; any thread
    /// @param wakeFunction makes the function's thread call [#deliver()]; any thread
    /// @param clockNs never runs backwards
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

    /// Length of every area here, whole pages.
    public long areaBytes() {
        return layout.bytes();
    }

    /// A machine has come: makes its area.
    ///
    /// @return a descriptor of it, the acceptor's to close
    /// @throws LinuxException if the kernel refuses
    public int connect() {
        memory = AreaMemory.create(place, layout);
        return memory.descriptor();
    }

    /// The machine is gone: its session ends, and its area is closed after that.
    public void disconnect() {
        interrupt(NO_EVENT);
        wish = new Wish(null);
        if (memory != null) {
            retired.add(memory);
            memory = null;
        }
        wake.run();
    }

    /// Begins a session, after the one that there is has ended. A machine is connected.
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

    /// How many sessions were begun.
    public int sessions() {
        return sessions;
    }

    /// How the session begun last is.
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

    /// What is signalled when the guest is to wake.
    ///
    /// @param eventDescriptor stays open until another takes its place; or [#NO_EVENT]
    public void interrupt(int eventDescriptor) {
        interruptEvent = eventDescriptor;
    }

    /// Interrupts the guest, if it is to wake.
    ///
    /// @return how much was done
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

    /// Nothing: who changes something here wakes the reception.
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
            // The machine may keep the area for as long as it lives, and none of its memory.
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
