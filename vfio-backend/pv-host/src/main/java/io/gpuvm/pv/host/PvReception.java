package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.Pause;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reception of paravirtual guests: runs all [GuestAcceptor]s. Long operations (DMA mappings,
/// resets, zeroing) run here and not on the poller's thread.
///
/// The reception starts no thread; the thread that runs it sleeps at [#parking()]. Any thread may
/// call [#wake()] and [#leave()], and open and close acceptors.
public final class PvReception implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvReception.class);

    /// Maximum number of descriptors of an acceptor: a listener or a client, and the guests.
    private static final int SLOTS_OF_DOOR = 1 + PvQuotas.MOST_SESSIONS;

    private static final int MOST_DESCRIPTORS = PvPoller.MOST_PLACES * SLOTS_OF_DOOR;

    /// Pause after Linux has refused a request of the reception or of an acceptor.
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Time within which all guests must leave.
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /// Acceptor of a place, and the slots of its descriptors.
    private static final class Door {
        private final PvPlace place;
        private final GuestAcceptor acceptor;
        private final int firstSlot;

        /// Completed when all guests have left and the acceptor is closed; null unless the place is
        /// to be closed.
        private CompletableFuture<Void> closing;

        Door(PvPlace place, GuestAcceptor acceptor, int firstSlot) {
            this.place = place;
            this.acceptor = acceptor;
            this.firstSlot = firstSlot;
        }
    }

    private final PvPoller guests;
    private final LongSupplier clockNs;
    private final EventWait events = new EventWait(MOST_DESCRIPTORS);
    private final Parking parking = new Parking(events);
    private final List<Door> doors = new ArrayList<>();

    /// Acceptors to add and to close.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

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

    /// Opens the acceptor of a place for this process's user, and zeroes the place's VRAM for the
    /// first guest. Any thread.
    ///
    /// @param socket path of the socket for the place's guests
    /// @throws LinuxException if the socket cannot be created
    public void open(PvPlace place, Path socket) {
        open(place, socket, SocketAccess.OWN_USER);
    }

    /// Opens the acceptor of a place, and zeroes the place's VRAM for the first guest. Any thread.
    ///
    /// @param socket path of the socket for the place's guests
    /// @param access users and groups whose processes may connect
    /// @throws LinuxException if the socket cannot be created
    public void open(PvPlace place, Path socket, SocketAccess access) {
        place.scrubAll();
        add(place, new SocketAcceptor(place, socket, access, guests, this::wake, clockNs));
    }

    /// Opens the acceptor of a place whose guests connect through a PCI function, and zeroes the
    /// place's VRAM for the first guest. Any thread.
    ///
    /// @param wakeFunction makes the function's thread call [FunctionAcceptor#deliver()]; any
    ///   thread
    /// @return the acceptor, for the PCI function
    public FunctionAcceptor open(PvPlace place, Runnable wakeFunction) {
        place.scrubAll();
        FunctionAcceptor acceptor =
                new FunctionAcceptor(place, guests, this::wake, wakeFunction, clockNs);
        add(place, acceptor);
        return acceptor;
    }

    private void add(PvPlace place, GuestAcceptor acceptor) {
        changes.add(() -> doors.add(new Door(place, acceptor, freeSlot())));
        wake();
    }

    /// Returns the first of the slots that no acceptor uses, for the descriptors of an acceptor.
    private int freeSlot() {
        int slot = 0;
        while (isUsed(slot)) {
            slot += SLOTS_OF_DOOR;
        }
        return slot;
    }

    private boolean isUsed(int slot) {
        return doors.stream().anyMatch(door -> door.firstSlot == slot);
    }

    /// Closes the acceptor of a place: removes its socket, disconnects its guests, takes them off
    /// the GPU, and returns their resources to the place. Other places' guests are served
    /// meanwhile. Any thread.
    ///
    /// @return completed when no guest's resources remain; exceptionally, with a
    ///   [GpuDeviceException], if the GPU may still use resources of a guest, so that the place's
    ///   memory must not be used again
    public CompletableFuture<Void> close(PvPlace place) {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        changes.add(() -> {
            for (Door door : doors) {
                if (door.place == place) {
                    door.closing = closing;
                    forget(door);
                    door.acceptor.dismiss(place.name() + " is detached");
                }
            }
        });
        wake();
        return closing;
    }

    /// Closes the acceptors whose guests have left.
    private void closeFree() {
        for (int i = doors.size() - 1; i >= 0; i--) {
            Door door = doors.get(i);
            if (door.closing != null && door.acceptor.isFree()) {
                forget(door);
                doors.remove(i);
                close(door);
                String broken = door.acceptor.broken();
                if (broken == null) {
                    door.closing.complete(null);
                } else {
                    door.closing.completeExceptionally(new GpuDeviceException(broken));
                }
            }
        }
    }

    /// Closes an acceptor, even if its socket's file cannot be deleted.
    private static void close(Door door) {
        try {
            door.acceptor.close();
        } catch (UncheckedIOException e) {
            LOG.warn("{}: {}", door.place.name(), e.getMessage());
        }
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
        runChanges();
        int work = leaving ? dismissAll(nowNs) : 0;
        boolean pauses = pause.lasts(nowNs);
        for (int i = 0; !pauses && i < doors.size(); i++) {
            Door door = doors.get(i);
            work += door.acceptor.doWork(nowNs, () -> forget(door));
        }
        closeFree();
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
        runChanges();
        doors.forEach(door -> door.acceptor.close());
        events.close();
    }

    private void runChanges() {
        for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
            change.run();
        }
    }

    /// @return amount of work done
    private int dismissAll(long nowNs) {
        if (!dismissed) {
            dismissed = true;
            dismissedNs = nowNs;
            doors.forEach(door -> door.acceptor.dismiss("the backend is shutting down"));
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
