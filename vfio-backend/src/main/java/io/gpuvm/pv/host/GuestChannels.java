package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.Status;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.ChannelFailure;
import io.gpuvm.pv.transport.FailureReport;
import io.gpuvm.shadow.ArenaBlock;
import io.gpuvm.shadow.CompletionInbox;
import io.gpuvm.shadow.GpuRequests;
import io.gpuvm.shadow.ShadowArena;
import java.util.ArrayDeque;

/// A guest's channels: instance blocks and USERD pages in its arena, where it cannot reach them;
/// the rings in memory of its own, which the GPU reads through the address space and nobody else.
/// Confined to the poller.
final class GuestChannels implements CompletionInbox.Handler {
    /// The longest ring: more than anybody fills, and far from what an index can count.
    static final int MOST_RING_ORDER = 16;

    private final ShadowArena arena;
    private final GpuRequests requests;
    private final Answers answers;
    private final GuestChannel[] channels;

    /// Numbers of channels that are open or will be, as the runlist wants them.
    private final int[] listed;

    /// Whose submissions are yet to be handed on, and whose progress is watched.
    private final int[] rung;

    private int rungCount;
    private final int[] watched;
    private int watchedCount;

    /// In the order of the runlists that were asked for.
    private final ArrayDeque<GuestChannel> opening = new ArrayDeque<>();

    private final InstanceBlock instance = new InstanceBlock();
    private final Ramfc ramfc = new Ramfc();
    private int open;
    private int underWay;
    private long submissions;
    private int news;

    /// What a multiprocessor said last belongs to the trap that follows.
    private boolean mpTrapped;

    private int mpGpc;
    private int mpTpc;
    private int mpWarpError;
    private int mpGlobalError;

    /// @param most how many channels there may be
    GuestChannels(
            SharedArea area, ShadowArena arena, GpuRequests requests, Answers answers, int most) {
        this.arena = arena;
        this.requests = requests;
        this.answers = answers;
        channels = new GuestChannel[most];
        for (int number = 0; number < most; number++) {
            channels[number] = new GuestChannel(number, area.channel(number));
        }
        listed = new int[most];
        rung = new int[most];
        watched = new int[most];
    }

    /// How many there are.
    int open() {
        return open;
    }

    /// How many submissions there were.
    long submissions() {
        return submissions;
    }

    /// How many answers of the GPU's owner are yet to come.
    int underWay() {
        return underWay;
    }

    /// Whether the GPU has yet to read something, as far as is known.
    boolean isAnyWatched() {
        return watchedCount > 0;
    }

    /// How many news there were for the guest that no answer tells.
    int news() {
        return news;
    }

    /// Begins a channel, which is answered when the GPU may run it.
    ///
    /// @param space null if there is none of that handle
    /// @return why not, [Status#OK] if it is under way
    Status create(ChannelCreateCommand command, GuestSpace space) {
        long ring = command.ringGpuVa();
        int order = command.ringOrder();
        if (space == null) {
            return Status.BAD_HANDLE;
        }
        if (ring % GpfifoEntry.BYTES != 0) {
            return Status.MISALIGNED;
        }
        long last = TableGeometry.VA_MASK + 1;
        if (order < 1
                || order > MOST_RING_ORDER
                || ring < 0
                || ring > last - ((long) GpfifoEntry.BYTES << order)) {
            return Status.BAD_RANGE;
        }
        GuestChannel channel = firstClosed();
        if (channel == null) {
            return Status.QUOTA_CHANNELS;
        }
        if (!takeBlocks(channel)) {
            return Status.NO_MEMORY;
        }
        begin(channel, space, order);
        channel.correlation = command.correlation();
        channel.quiet = command.isQuiet();
        describe(channel, ring, order);
        requests.bind(
                channel.number, arena.iovaOf(channel.instance), arena.iovaOf(channel.userdOffset));
        requests.run(channel.number, true);
        requests.runlist(listed, collectListed());
        opening.add(channel);
        expect();
        return Status.OK;
    }

    /// Ends a channel, which is answered when the GPU is off it.
    ///
    /// @return why not, [Status#OK] if it is under way
    Status destroy(int number, CommandEntry command) {
        GuestChannel channel = openOne(number);
        if (channel == null) {
            return Status.BAD_HANDLE;
        }
        channel.state = State.CLOSING;
        channel.correlation = command.correlation();
        channel.quiet = command.isQuiet();
        requests.unbind(number);
        requests.preempt(number);
        expect();
        return Status.OK;
    }

    /// Notes how far a channel's ring is filled.
    Status submit(int number, int put) {
        GuestChannel channel = openOne(number);
        if (channel == null) {
            return Status.BAD_HANDLE;
        }
        if (Integer.compareUnsigned(put, channel.ringEntries) >= 0) {
            return Status.BAD_RANGE;
        }
        if (channel.dead) {
            return Status.CHANNEL_DEAD;
        }
        submissions++;
        channel.put = put;
        if (!channel.rung) {
            channel.rung = true;
            rung[rungCount++] = number;
        }
        return Status.OK;
    }

    /// Hands on what was submitted; what the page tables show is in force by then.
    void ring() {
        for (int i = 0; i < rungCount; i++) {
            GuestChannel channel = channels[rung[i]];
            channel.rung = false;
            if (channel.state == State.OPEN && !channel.dead) {
                requests.ring(channel.number, channel.put);
                if (!channel.watched) {
                    channel.watched = true;
                    watched[watchedCount++] = channel.number;
                }
            }
        }
        rungCount = 0;
    }

    /// Tells the guest how far the GPU has read.
    ///
    /// @return how many channels made progress
    int watch() {
        int moved = 0;
        for (int i = watchedCount - 1; i >= 0; i--) {
            GuestChannel channel = channels[watched[i]];
            int get = channel.userd.ibGet();
            if (get != channel.get) {
                channel.get = get;
                channel.slot.get(get);
                moved++;
            }
            if (get == channel.put || channel.dead || channel.state != State.OPEN) {
                channel.watched = false;
                watched[i] = watched[--watchedCount];
            }
        }
        return moved;
    }

    /// Gives back what all channels have in the arena. The GPU has none of them any more.
    void close() {
        for (GuestChannel channel : channels) {
            if (channel.state != State.CLOSED) {
                giveBackBlocks(channel);
            }
        }
    }

    /// Flushes are the guest's as a whole.
    @Override
    public void onFlushed() {
        answers.flushAnswered();
    }

    @Override
    public void onRunlistLoaded() {
        GuestChannel channel = opening.remove();
        channel.state = State.OPEN;
        channel.slot.open();
        settle(channel, channel.number);
    }

    @Override
    public void onPreempted(int number) {
        GuestChannel channel = channels[number];
        giveBackBlocks(channel);
        channel.space.channels--;
        channel.space = null;
        channel.state = State.CLOSED;
        channel.slot.state(ChannelSlot.CLOSED);
        open--;
        settle(channel, 0);
    }

    @Override
    public void onNonStall(int engine) {
        news++;
    }

    /// The GPU's owner has taken the channel off the GPU.
    @Override
    public void onMmuFault(int unit, int number, long gpuVa, int statusWord) {
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.memoryFault(unit, gpuVa, statusWord));
        }
    }

    /// A channel whose words a PBDMA does not understand has lost its way.
    @Override
    public void onPbdma(int pbdma, int number, int interrupts, int method, int data) {
        requests.unbind(number);
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.pbdma(pbdma, interrupts, method, data));
        }
    }

    @Override
    public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
        mpTrapped = true;
        mpGpc = gpc;
        mpTpc = tpc;
        mpWarpError = warpError;
        mpGlobalError = globalError;
    }

    /// The channel goes on with the acknowledgement: whoever sees what comes then knows of this.
    @Override
    public void onGraphTrap(
            int number, int interrupts, int address, int data, int code, int classId) {
        if (isFirstFailure(number, false)) {
            report(
                    number,
                    mpTrapped
                            ? FailureReport.instruction(mpGpc, mpTpc, mpWarpError, mpGlobalError)
                            : FailureReport.graph(interrupts, address, data, code, classId));
        }
        mpTrapped = false;
        requests.releaseTrap(EngineId.GRAPH.number(), interrupts);
    }

    @Override
    public void onCopyTrap(int engine, int number, int interrupts, int error, int data) {
        if (isFirstFailure(number, false)) {
            report(number, FailureReport.copy(EngineId.of(engine), error, data));
        }
        requests.releaseTrap(engine, interrupts);
    }

    /// The GPU's owner has taken the channel off the GPU.
    @Override
    public void onHung(int engine, int number) {
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.timeout(EngineId.of(engine)));
        }
    }

    private GuestChannel openOne(int number) {
        if (number < 0 || number >= channels.length) {
            return null;
        }
        GuestChannel channel = channels[number];
        return channel.state == State.OPEN ? channel : null;
    }

    private GuestChannel firstClosed() {
        for (GuestChannel channel : channels) {
            if (channel.state == State.CLOSED) {
                return channel;
            }
        }
        return null;
    }

    private boolean takeBlocks(GuestChannel channel) {
        channel.instance = arena.take(ArenaBlock.INSTANCE);
        if (channel.instance == ShadowArena.NONE) {
            return false;
        }
        channel.userdOffset = arena.take(ArenaBlock.USERD);
        if (channel.userdOffset == ShadowArena.NONE) {
            arena.giveBack(ArenaBlock.INSTANCE, channel.instance);
            return false;
        }
        return true;
    }

    private void giveBackBlocks(GuestChannel channel) {
        arena.giveBack(ArenaBlock.INSTANCE, channel.instance);
        arena.giveBack(ArenaBlock.USERD, channel.userdOffset);
    }

    private void begin(GuestChannel channel, GuestSpace space, int order) {
        channel.state = State.OPENING;
        channel.dead = false;
        channel.failed = false;
        channel.space = space;
        channel.ringEntries = 1 << order;
        channel.put = 0;
        channel.get = 0;
        channel.rung = false;
        space.channels++;
        space.shown = true;
        open++;
    }

    private void describe(GuestChannel channel, long ringGpuVa, int order) {
        channel.userd.wrap(arena.memory(), channel.userdOffset);
        instance.wrap(arena.memory(), channel.instance)
                .directory(ShadowArena.TARGET, channel.space.tables().directoryIova())
                .limit(TableGeometry.VA_MASK);
        ramfc.wrap(arena.memory(), channel.instance)
                .initialize(
                        ShadowArena.TARGET, arena.iovaOf(channel.userdOffset), ringGpuVa, order);
    }

    private int collectListed() {
        int count = 0;
        for (GuestChannel channel : channels) {
            if (channel.state == State.OPENING || channel.state == State.OPEN) {
                listed[count++] = channel.number;
            }
        }
        return count;
    }

    private void expect() {
        answers.expected();
        underWay++;
    }

    private void settle(GuestChannel channel, int result) {
        underWay--;
        answers.settled();
        if (!channel.quiet) {
            answers.answer(Status.OK, channel.correlation, 0, result);
        }
    }

    /// Notes that something went wrong on a channel.
    ///
    /// @param number [CompletionInbox#NO_CHANNEL] if it is unknown on which
    /// @return whether the guest is to be told what it was
    private boolean isFirstFailure(int number, boolean ended) {
        news++;
        GuestChannel channel = number == CompletionInbox.NO_CHANNEL ? null : channels[number];
        if (channel == null || channel.state == State.CLOSED) {
            return false;
        }
        boolean first = !channel.failed;
        channel.failed = true;
        if (ended && !channel.dead) {
            channel.dead = true;
            if (!first) {
                channel.slot.state(ChannelSlot.DEAD);
            }
        }
        return first;
    }

    private void report(int number, ChannelFailure failure) {
        GuestChannel channel = channels[number];
        channel.slot.fail(channel.dead ? ChannelSlot.DEAD : ChannelSlot.FAILED, failure);
    }
}
