package io.gpuvm.pv.host;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/// Acceptor of a place whose guests are programs in a virtual machine with the place's PCI
/// function, one for each session.
///
/// ```text
///  the function's thread                          the reception's thread
///  connect: memory for this machine       ----->
///  begin, end: requested sessions         ----->  [FunctionSession]
///  disconnect: unused memory              ----->  closes the memory, once no session uses it
/// ```
///
/// The reception's thread calls the methods of [GuestAcceptor]; the function's thread calls all
/// other methods.
public final class FunctionAcceptor implements GuestAcceptor {
    /// Value that represents no event descriptor.
    public static final int NO_EVENT = -1;

    private final PvPlace place;
    private final GuestSlots slots;
    private final List<FunctionSession> sessions = new ArrayList<>();
    private final SessionRotation rotation;
    private final Runnable wake;
    private final Runnable wakeFunction;
    private final AreaLayout layout;

    /// Memory of machines that have disconnected.
    private final Queue<MachineMemory> retired = new ConcurrentLinkedQueue<>();

    /// Event descriptor from the VMM for the guests' wake-ups. Function's thread only: the VMM can
    /// make the next signal block, so no thread that serves other guests may signal it.
    private int interruptEvent = NO_EVENT;

    private volatile boolean interruptWanted;

    /// Memory of the connected machine; null if no machine is connected. Function's thread only.
    private MachineMemory machine;

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
        slots = new GuestSlots(place, poller, wake, clockNs);
        for (int session = 0; session < place.quotas().sessions(); session++) {
            sessions.add(new FunctionSession(session, slots, this::wakeGuest));
        }
        rotation = new SessionRotation(sessions.size());
        layout = AreaMemory.layoutOf(place, place.quotas().dataBytes());
    }

    /// Returns the protocol of the rings in the areas.
    public RingProtocol protocol() {
        return place.kind().protocol();
    }

    /// Returns the number of sessions.
    public int sessions() {
        return sessions.size();
    }

    /// Returns the length of each area in bytes, a multiple of the page size.
    public long areaBytes() {
        return layout.bytes();
    }

    /// Returns the offset of a session's area in the memory of a machine, a multiple of the page
    /// size; with the number of sessions, the length of this memory.
    public long areaStart(int session) {
        return MachineMemory.startOf(layout, session);
    }

    /// Allocates the memory of a machine that has connected.
    ///
    /// @return descriptor of the memory, owned by the acceptor
    /// @throws LinuxException if Linux does not provide the memory
    public int connect() {
        machine = MachineMemory.create(place, layout);
        return machine.descriptor();
    }

    /// Ends the sessions of a machine that has disconnected, and closes its memory afterwards.
    public void disconnect() {
        interrupt(NO_EVENT);
        endAll();
        if (machine != null) {
            retired.add(machine);
            machine = null;
        }
        wake.run();
    }

    /// Begins a session, after the session's current guest has left. A machine must be connected.
    public void begin(int session) {
        sessions.get(session).begin(machine);
        wake.run();
    }

    /// Ends a session.
    public void end(int session) {
        if (sessions.get(session).end()) {
            wake.run();
        }
    }

    /// Ends all sessions.
    public void endAll() {
        for (int session = 0; session < sessions.size(); session++) {
            end(session);
        }
    }

    /// Returns the number of beginnings of a session.
    public int begun(int session) {
        return sessions.get(session).begun();
    }

    /// Returns the state of a session since its latest beginning.
    public SessionState state(int session) {
        return sessions.get(session).state();
    }

    /// Wakes the host for a session.
    public void ring(int session) {
        sessions.get(session).ring();
    }

    /// Sets the event that wakes the guests.
    ///
    /// @param eventDescriptor event descriptor, open until the next call, or [#NO_EVENT]
    public void interrupt(int eventDescriptor) {
        interruptEvent = eventDescriptor;
    }

    /// Interrupts the guests, if a wake-up is pending.
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

    @Override
    public int descriptors() {
        return 0;
    }

    /// Does nothing: no descriptor is needed, because each change wakes the reception's thread.
    @Override
    public void watch(EventWait at, int first, long nowNs) {}

    @Override
    public int doWork(long nowNs, Runnable forget) {
        return rotation.doWork(session -> sessions.get(session).doWork()) + closeRetired();
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public void dismiss(String reason) {
        slots.dismiss(reason);
    }

    @Override
    public boolean isFree() {
        return slots.areFree();
    }

    @Override
    public String broken() {
        return slots.broken();
    }

    @Override
    public void close() {
        closeRetired();
        sessions.forEach(FunctionSession::close);
    }

    private void wakeGuest() {
        interruptWanted = true;
        wakeFunction.run();
    }

    private int closeRetired() {
        int closed = 0;
        while (!retired.isEmpty() && isUnused(retired.peek())) {
            retired.poll().close();
            closed++;
        }
        return closed;
    }

    private boolean isUnused(MachineMemory memory) {
        return sessions.stream().noneMatch(session -> session.uses(memory));
    }
}
