package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where paravirtual guests come and go: all [GuestAcceptor]s. What takes long happens here and not
/// on the poller's thread: DMA mappings, resets, zeroing.
///
/// Starts no thread: an agent for a thread that sleeps at [#parking()]. [#wake()] and [#leave()]
/// are for any thread, acceptors are opened before that thread starts.
public final class PvReception implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvReception.class);
    private static final int SLOTS_PER_DOOR = 2;

    /// How long all guests together may take to leave.
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final PvPoller guests;
    private final LongSupplier clockNs;
    private final EventWait events =
            new EventWait(SLOTS_PER_DOOR * (PvPoller.MOST_GUESTS / SLOTS_PER_DOOR));
    private final Parking parking = new Parking(events);
    private final List<GuestAcceptor> acceptors = new ArrayList<>();
    private boolean refusalLogged;

    /// Lasts while no acceptor does anything.
    private final Pause pause = new Pause();

    private volatile boolean leaving;

    /// Whether guests have been told to leave, and since when.
    private boolean dismissed;

    private long dismissedNs;

    /// @param guests who serves those that are let in
    /// @param clockNs never runs backwards
    public PvReception(PvPoller guests, LongSupplier clockNs) {
        this.guests = guests;
        this.clockNs = clockNs;
    }

    /// Opens the acceptor of a place, whose part of the VRAM is zeroed for the first guest.
    ///
    /// @param socket where its guests connect
    /// @throws LinuxException if the socket cannot be made
    public void open(PvPlace place, Path socket) {
        place.scrub().run();
        acceptors.add(new SocketAcceptor(place, socket, guests, this::wake, clockNs));
    }

    /// Opens the acceptor of a place whose guests come through a PCI function. Its part of the VRAM
    /// is zeroed for the first of them.
    ///
    /// @param wakeFunction makes the function's thread call [FunctionAcceptor#deliver()]; any
    ///   thread
    /// @return the acceptor, for the PCI function
    public FunctionAcceptor open(PvPlace place, Runnable wakeFunction) {
        place.scrub().run();
        FunctionAcceptor acceptor =
                new FunctionAcceptor(place, guests, this::wake, wakeFunction, clockNs);
        acceptors.add(acceptor);
        return acceptor;
    }

    /// Where the reception's thread sleeps.
    public Parking parking() {
        return parking;
    }

    /// Makes the reception look again. Any thread.
    public void wake() {
        parking.wake();
    }

    /// Has all guests leave, and ends the agent when they have, or have taken too long. Any thread.
    public void leave() {
        leaving = true;
        wake();
    }

    /// Does what there is to do; may wait for the GPU's owner.
    ///
    /// @return how much was done
    /// @throws AgentTerminationException if all was done, ever
    @Override
    public int doWork() {
        long nowNs = clockNs.getAsLong();
        int work = leaving ? dismissAll(nowNs) : 0;
        boolean pauses = pause.lasts(nowNs);
        for (int i = 0; !pauses && i < acceptors.size(); i++) {
            int slot = i * SLOTS_PER_DOOR;
            work += acceptors.get(i).doWork(nowNs, () -> forget(slot));
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
        for (int i = 0; i < acceptors.size(); i++) {
            int slot = i * SLOTS_PER_DOOR;
            if (pauses) {
                forget(slot);
            } else {
                acceptors.get(i).watch(events, slot, nowNs);
            }
        }
        return true;
    }

    @Override
    public long nanosUntilWork() {
        long nowNs = clockNs.getAsLong();
        long nanos = dismissed ? dismissedNs + LEAVE_LIMIT_NS - nowNs : Long.MAX_VALUE;
        if (pause.lasts(nowNs)) {
            return Math.max(0, Math.min(nanos, pause.nanosLeft(nowNs)));
        }
        for (int i = 0; i < acceptors.size(); i++) {
            nanos = Math.min(nanos, acceptors.get(i).nanosUntilWork(nowNs));
        }
        return Math.max(0, nanos);
    }

    /// The kernel refuses something, such as a descriptor: that passes.
    @Override
    public boolean survives(Throwable error) {
        if (!(error instanceof LinuxException)) {
            return false;
        }
        if (!refusalLogged) {
            refusalLogged = true;
            LOG.error("a client of paravirtual guests' sockets: {}", error.getMessage());
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
        acceptors.forEach(GuestAcceptor::close);
        events.close();
    }

    /// @return how much was done
    private int dismissAll(long nowNs) {
        if (!dismissed) {
            dismissed = true;
            dismissedNs = nowNs;
            acceptors.forEach(GuestAcceptor::dismiss);
            return 1;
        }
        if (nowNs - dismissedNs >= LEAVE_LIMIT_NS
                || acceptors.stream().allMatch(GuestAcceptor::isFree)) {
            throw new AgentTerminationException(true);
        }
        return 0;
    }

    private void forget(int slot) {
        events.set(slot, Poller.NONE);
        events.set(slot + 1, Poller.NONE);
    }
}
