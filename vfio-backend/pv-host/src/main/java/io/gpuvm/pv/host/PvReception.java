package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.Pause;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reception of paravirtual guests: runs all [GuestAcceptor]s. Long operations (DMA mappings,
/// resets, zeroing) run here and not on the poller's thread.
///
/// The reception starts no thread; the thread that runs it sleeps at [#parking()]. Any thread may
/// call [#wake()] and [#leave()]; acceptors are opened before that thread starts.
public final class PvReception implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvReception.class);

    /// Maximum number of descriptors of all acceptors: a listener or a client, and the guests.
    private static final int MOST_DESCRIPTORS = PvPoller.MOST_PLACES * (1 + PvQuotas.MOST_SESSIONS);

    /// Pause after Linux has refused a request of the reception or of an acceptor.
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Time within which all guests must leave.
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /// Acceptor and the slots of its descriptors.
    private record Door(GuestAcceptor acceptor, int firstSlot) {}

    private final PvPoller guests;
    private final LongSupplier clockNs;
    private final EventWait events = new EventWait(MOST_DESCRIPTORS);
    private final Parking parking = new Parking(events);
    private final List<Door> doors = new ArrayList<>();
    private boolean refusalLogged;

    /// Pause of the whole reception after Linux has refused a request.
    private final Pause pause = new Pause(PAUSE_NS);

    private volatile boolean leaving;

    /// True if the guests have been requested to leave.
    private boolean dismissed;

    /// Time of the request to leave.
    private long dismissedNs;

    /// @param guests poller that serves the admitted guests
    /// @param clockNs monotonic clock, in nanoseconds
    public PvReception(PvPoller guests, LongSupplier clockNs) {
        this.guests = guests;
        this.clockNs = clockNs;
    }

    /// Opens the acceptor of a place, and zeroes the place's share of the VRAM for the first guest.
    ///
    /// @param socket path of the socket for the place's guests
    /// @throws LinuxException if the socket cannot be created
    public void open(PvPlace place, Path socket) {
        place.scrubAll();
        add(new SocketAcceptor(place, socket, guests, this::wake, clockNs));
    }

    /// Opens the acceptor of a place whose guests connect through a PCI function, and zeroes the
    /// place's share of the VRAM for the first guest.
    ///
    /// @param wakeFunction makes the function's thread call [FunctionAcceptor#deliver()]; any
    ///   thread
    /// @return the acceptor, for the PCI function
    public FunctionAcceptor open(PvPlace place, Runnable wakeFunction) {
        place.scrubAll();
        FunctionAcceptor acceptor =
                new FunctionAcceptor(place, guests, this::wake, wakeFunction, clockNs);
        add(acceptor);
        return acceptor;
    }

    private void add(GuestAcceptor acceptor) {
        int slots = 0;
        if (!doors.isEmpty()) {
            Door last = doors.getLast();
            slots = last.firstSlot + last.acceptor.descriptors();
        }
        doors.add(new Door(acceptor, slots));
    }

    /// Returns the parking place of the reception's thread.
    public Parking parking() {
        return parking;
    }

    /// Makes the reception check all acceptors again. Any thread.
    public void wake() {
        parking.wake();
    }

    /// Disconnects all guests, and ends the agent when they have left or the time limit has passed.
    /// Any thread.
    public void leave() {
        leaving = true;
        wake();
    }

    /// Does the pending work; may wait for the GPU's owner.
    ///
    /// @return amount of work done
    /// @throws AgentTerminationException if all guests have left, or the time limit has passed
    @Override
    public int doWork() {
        long nowNs = clockNs.getAsLong();
        int work = leaving ? dismissAll(nowNs) : 0;
        boolean pauses = pause.lasts(nowNs);
        for (int i = 0; !pauses && i < doors.size(); i++) {
            Door door = doors.get(i);
            work += door.acceptor.doWork(nowNs, () -> forget(door));
        }
        return work;
    }

    @Override
    public boolean mayPark() {
        if (doWork() > 0) {
            return false;
        }
        long nowNs = clockNs.getAsLong();
        boolean pauses = pause.lasts(nowNs);
        for (Door door : doors) {
            if (pauses) {
                forget(door);
            } else {
                door.acceptor.watch(events, door.firstSlot, nowNs);
            }
        }
        return true;
    }

    @Override
    public long nanosUntilWork() {
        long nowNs = clockNs.getAsLong();
        long nanos = dismissed ? dismissedNs + LEAVE_LIMIT_NS - nowNs : Long.MAX_VALUE;
        long pauseNs = pause.nanosLeft(nowNs);
        if (pauseNs != Long.MAX_VALUE) {
            return Math.max(0, Math.min(nanos, pauseNs));
        }
        for (Door door : doors) {
            nanos = Math.min(nanos, door.acceptor.nanosUntilWork(nowNs));
        }
        return Math.max(0, nanos);
    }

    /// Returns whether the error is a transient refusal by Linux, for instance of a descriptor.
    /// Logs the first refusal and pauses the reception.
    @Override
    public boolean survives(Throwable error) {
        if (!(error instanceof LinuxException)) {
            return false;
        }
        if (!refusalLogged) {
            refusalLogged = true;
            LOG.error("reception of paravirtual guests paused: {}", error.getMessage());
        }
        pause.begin(clockNs.getAsLong());
        return true;
    }

    @Override
    public String roleName() {
        return "gpuvm-pv-accept";
    }

    @Override
    public void onClose() {
        close();
    }

    /// Removes the sockets.
    @Override
    public void close() {
        doors.forEach(door -> door.acceptor.close());
        events.close();
    }

    /// @return amount of work done
    private int dismissAll(long nowNs) {
        if (!dismissed) {
            dismissed = true;
            dismissedNs = nowNs;
            doors.forEach(door -> door.acceptor.dismiss());
            return 1;
        }
        if (nowNs - dismissedNs >= LEAVE_LIMIT_NS
                || doors.stream().allMatch(door -> door.acceptor.isFree())) {
            throw new AgentTerminationException(true);
        }
        return 0;
    }

    private void forget(Door door) {
        for (int i = 0; i < door.acceptor.descriptors(); i++) {
            events.set(door.firstSlot + i, Poller.NONE);
        }
    }
}
