package io.gpuvm.pv.host;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Where paravirtual guests come and go: all their doors. What takes long happens here and not on
/// the poller's thread: DMA mappings, resets, zeroing.
///
/// Starts no thread. One thread calls everything but [#wake()].
public final class PvReception implements AutoCloseable {
    private static final int WAKE = 0;
    private static final int FIRST_DOOR = 1;
    private static final int SLOTS_PER_DOOR = 2;

    private final PvPoller guests;
    private final LongSupplier clockNs;
    private final EventFd wakeEvent = EventFd.create();
    private final Poller poller =
            new Poller(FIRST_DOOR + SLOTS_PER_DOOR * (PvPoller.MOST_GUESTS / SLOTS_PER_DOOR));
    private final List<Door> doors = new ArrayList<>();
    private volatile boolean parked;

    /// @param guests who serves those that are let in
    /// @param clockNs never runs backwards
    public PvReception(PvPoller guests, LongSupplier clockNs) {
        this.guests = guests;
        this.clockNs = clockNs;
        poller.set(WAKE, wakeEvent.descriptor());
    }

    /// Opens the door of a place, whose part of the VRAM is zeroed for the first guest.
    ///
    /// @param socket where its guests connect
    /// @throws LinuxException if the socket cannot be made
    public void open(PvPlace place, Path socket) {
        place.scrub().run();
        doors.add(new PvDesk(place, socket, guests, this::wake, clockNs));
    }

    /// Opens the door of a place whose guests come through a PCI function. Its part of the VRAM is
    /// zeroed for the first of them.
    ///
    /// @param wakeFunction makes the function's thread call [FunctionDoor#deliver()]; any thread
    /// @return the function's end of the door
    public FunctionDoor open(PvPlace place, Runnable wakeFunction) {
        place.scrub().run();
        FunctionDoor door = new FunctionDoor(place, guests, this::wake, wakeFunction, clockNs);
        doors.add(door);
        return door;
    }

    /// Makes the reception look again. Any thread.
    public void wake() {
        VarHandle.fullFence();
        if (parked) {
            wakeEvent.signal();
        }
    }

    /// Does what there is to do; may wait for the GPU's owner.
    ///
    /// @return how much was done
    public int doWork() {
        int work = 0;
        long nowNs = clockNs.getAsLong();
        for (int i = 0; i < doors.size(); i++) {
            int slot = FIRST_DOOR + i * SLOTS_PER_DOOR;
            work +=
                    doors.get(i)
                            .doWork(
                                    nowNs,
                                    () -> {
                                        poller.set(slot, Poller.NONE);
                                        poller.set(slot + 1, Poller.NONE);
                                    });
        }
        return work;
    }

    /// Sleeps until somebody arrives or leaves, or [#wake()].
    public void park() {
        parked = true;
        VarHandle.fullFence();
        // Whoever woke before it saw that we sleep is seen by this look.
        if (doWork() == 0) {
            long nowNs = clockNs.getAsLong();
            long nanos = Long.MAX_VALUE;
            for (int i = 0; i < doors.size(); i++) {
                doors.get(i).watch(poller, FIRST_DOOR + i * SLOTS_PER_DOOR);
                nanos = Math.min(nanos, doors.get(i).nanosUntilWork(nowNs));
            }
            poller.poll(nanos == Long.MAX_VALUE ? Poller.FOREVER : nanos);
        }
        parked = false;
        wakeEvent.drain();
    }

    /// Has all guests leave. Call [#doWork()] until [#isEmpty()].
    public void dismissAll() {
        doors.forEach(Door::dismiss);
    }

    /// Whether no guest is there.
    public boolean isEmpty() {
        return doors.stream().allMatch(Door::isFree);
    }

    /// Removes the sockets.
    @Override
    public void close() {
        doors.forEach(Door::close);
        poller.close();
        wakeEvent.close();
    }
}
