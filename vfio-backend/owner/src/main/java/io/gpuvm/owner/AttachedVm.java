package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.OpenWindows;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.sched.VmAccount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One virtual machine that shares the GPU, as the owner sees it: the unit of channels, time and
/// requests. It has one or more sessions. Confined to the owner's thread.
final class AttachedVm {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedVm.class);

    /// Number of the owner's own account.
    static final int OWNER = -1;

    /// Number that the attaching caller has chosen, from 0; or [#OWNER].
    final int number;

    private final VmPart part;
    private final VmAccount account;
    private final List<AttachedSession> sessions = new ArrayList<>();
    private final OwnedChannel[] channels = new OwnedChannel[Pfifo.CHANNELS];

    /// Windows that the VMM may map.
    private final OpenWindows windows = new OpenWindows();

    /// Engines that accept no work of this virtual machine, one bit each.
    int frozenEngines;

    /// Number of the GPU's channels that the virtual machine holds.
    int channelsHeld;

    /// True if the scheduler's full queue has rejected a command of the virtual machine.
    boolean turnedAway;

    /// Index of the channel that the next round offers first.
    int firstOffered;

    private final LogLimit surplus = LogLimit.once();

    /// @param requests requests of the first session
    AttachedVm(int number, VmPart part, VmAccount account, RequestQueue requests) {
        this.number = number;
        this.part = part;
        this.account = account;
        addSession(requests, part.inbox());
        for (int id = 0; id < channels.length; id++) {
            channels[id] = new OwnedChannel(this, id);
        }
    }

    String name() {
        return account.name();
    }

    VmAccount account() {
        return account;
    }

    /// Adds a session.
    AttachedSession addSession(RequestQueue requests, CompletionInbox inbox) {
        AttachedSession session = new AttachedSession(this, sessions.size(), requests, inbox);
        sessions.add(session);
        return session;
    }

    /// Returns the sessions, by number.
    List<AttachedSession> sessions() {
        return sessions;
    }

    /// Returns the number of the GPU's channels that are reserved for the virtual machine.
    int channelsReserved() {
        return part.channels();
    }

    IovaShare memory() {
        return part.memory();
    }

    int requestsPerSecond() {
        return part.requestsPerSecond();
    }

    /// Logs that no channel is free for a binding.
    void onNoChannel(OwnedChannel channel) {
        if (surplus.spend()) {
            LOG.warn(
                    "{}: no free channel, channels={}; the channel remains idle",
                    channel,
                    channelsHeld);
        }
    }

    /// Makes the virtual machine's thread check its inboxes.
    void wake() {
        part.wake().run();
    }

    OwnedChannel channel(int guestId) {
        return channels[guestId];
    }

    /// Opens a window, if the GPU supports windows.
    Optional<SharedWindow> openWindow(PhysicalGpu gpu, long bytes) {
        Optional<SharedWindow> window = part.windows().open(gpu, bytes);
        window.ifPresent(windows::add);
        return window;
    }

    /// Returns the open windows.
    OpenWindows windows() {
        return windows;
    }

    /// Returns the arena, which holds instance blocks and USERD pages.
    MemorySegment arena() {
        return part.arena();
    }

    /// Returns the offset of a bus address in the arena.
    ///
    /// @throws IndexOutOfBoundsException if the address is not in the arena
    long arenaOffset(long iova, long bytes) {
        return Objects.checkFromIndexSize(iova - part.arenaIova(), bytes, part.arena().byteSize());
    }
}
