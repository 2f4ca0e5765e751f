package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.port.SharedStatus;
import io.gpuvm.sched.VmAccount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One virtual machine that shares the GPU, as the owner knows it. Confined to the owner's thread,
/// except [#requests()].
final class AttachedVm {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedVm.class);

    /// The number of who works for the owner.
    static final int OWNER = -1;

    /// In the order in which virtual machines were attached, from 0; or [#OWNER].
    final int number;

    private final VmPart part;
    private final VmAccount account;
    private final RequestQueue requests;
    private final OwnedChannel[] channels = new OwnedChannel[Pfifo.CHANNELS];

    /// What its VMM may map, in the order in which it was opened.
    private final List<SharedWindow> windows = new ArrayList<>();

    /// Engines that take no work of this virtual machine, a bit each.
    int frozenEngines;

    /// How many of the GPU's channels it has.
    int channelsHeld;

    /// Whether one of its channels found a queue full.
    boolean turnedAway;

    /// Where to begin when its channels are asked what they want.
    int firstOffered;

    private final LogLimit deaf = LogLimit.once();
    private final LogLimit surplus = LogLimit.once();

    /// Whether it had work on the GPU since the last non-stall interrupt was handed out.
    boolean worked;

    AttachedVm(int number, VmPart part, VmAccount account, RequestQueue requests) {
        this.number = number;
        this.part = part;
        this.account = account;
        this.requests = requests;
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

    RequestQueue requests() {
        return requests;
    }

    /// The cells that the virtual machine reads without asking.
    SharedStatus status() {
        return requests.status();
    }

    IovaShare memory() {
        return part.memory();
    }

    int requestsPerSecond() {
        return part.requestsPerSecond();
    }

    CompletionInbox inbox() {
        return part.inbox();
    }

    /// Sees to it that the virtual machine's thread takes what was put into its inbox.
    ///
    /// @param accepted what the inbox said; it has room for more than a virtual machine can have
    ///   outstanding, so that a refusal means that its thread is dead
    void tell(boolean accepted) {
        if (!accepted && deaf.spend()) {
            LOG.error("{}: does not take answers any more", name());
        }
        wake();
    }

    /// It has asked for a channel, and there is none left for it.
    void onNoChannel(OwnedChannel channel) {
        if (surplus.spend()) {
            LOG.warn("{}: no channel left, channels={}: stays idle", channel, channelsHeld);
        }
    }

    /// Makes the virtual machine's thread look into its inbox.
    void wake() {
        part.wake().run();
    }

    OwnedChannel channel(int guestId) {
        return channels[guestId];
    }

    /// Opens a window for it, if the GPU has such.
    Optional<SharedWindow> openWindow(PhysicalGpu gpu, long bytes) {
        Optional<SharedWindow> window = part.windows().open(gpu, bytes);
        window.ifPresent(windows::add);
        return window;
    }

    /// How many windows it has.
    int windows() {
        return windows.size();
    }

    /// Makes what it has set in its windows count.
    ///
    /// @return how many pages were copied for that
    int showWindows() {
        int pages = 0;
        for (SharedWindow window : windows) {
            pages += window.flush();
        }
        return pages;
    }

    /// Makes its windows show nothing.
    void clearWindows() {
        windows.forEach(SharedWindow::clear);
    }

    /// Takes its windows away, and what its VRAM holds in them: whoever mapped them has gone. So no
    /// page has to be copied, which others would wait for.
    void closeWindows() {
        clearWindows();
        windows.forEach(SharedWindow::close);
        windows.clear();
    }

    /// The arena, in which instance blocks and USERD pages lie.
    MemorySegment arena() {
        return part.arena();
    }

    /// Offset in the arena of a bus address.
    ///
    /// @throws IndexOutOfBoundsException if the address is not in the arena
    long arenaOffset(long iova, long bytes) {
        return Objects.checkFromIndexSize(iova - part.arenaIova(), bytes, part.arena().byteSize());
    }
}
