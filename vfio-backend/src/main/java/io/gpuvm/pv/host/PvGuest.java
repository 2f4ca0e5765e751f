package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.FenceWaitCommand;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.Opcode;
import io.gpuvm.pv.protocol.Statistic;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.Status;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.VramAllocCommand;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.shadow.GpuRequests;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// One guest: takes its commands, checks them, carries them out, and answers.
///
/// A command is copied into memory of the host's before anybody looks at it; what the guest may do
/// is decided by what is kept here, never by what stands in the shared area. All that a guest can
/// ask for costs a bounded time in each [#slice]. Confined to the poller.
public final class PvGuest {
    /// Commands in one slice: a batch, so that one doorbell and one flush serve many.
    private static final int SLICE_COMMANDS = 128;

    /// Page-table entries in one slice: some hundred microseconds at the most.
    private static final int SLICE_WORK = 4096;

    /// What a command that makes or ends something as a whole counts as in entries.
    private static final int SETUP_WORK = 512;

    /// Requests to the GPU's owner that are not answered yet. The queue to it holds this many times
    /// over what belongs to one, so that the poller never waits for room there.
    private static final int MOST_REQUESTS = 128;

    private static final Statistic[] STATISTICS = Statistic.values();

    private final PvPlace place;
    private final SharedArea area;
    private final HostWake wakeHost;
    private final Runnable onDropped;
    private final LongSupplier clockNs;
    private final GpuRequests requests;
    private final MemorySegment data;
    private final RingConsumer commands;
    private final Doorbell doorbell;
    private final Sleeper sleeper;
    private final Answers answers;
    private final GuestMemory memory;
    private final GuestChannels channels;
    private final Mapping mapping;
    private final FenceWaits waits;
    private final List<GuestSpace> dirty = new ArrayList<>();

    private final CommandEntry command = new CommandEntry();
    private final VramAllocCommand allocation = new VramAllocCommand();
    private final HandleCommand handle = new HandleCommand();
    private final MapCommand map = new MapCommand();
    private final MapStridedCommand mapStrided = new MapStridedCommand();
    private final MapListCommand mapList = new MapListCommand();
    private final UnmapCommand unmap = new UnmapCommand();
    private final ChannelCreateCommand channelCreate = new ChannelCreateCommand();
    private final SubmitCommand submit = new SubmitCommand();
    private final FenceQueryCommand fenceQuery = new FenceQueryCommand();
    private final FenceWaitCommand fenceWait = new FenceWaitCommand();
    private final StatisticsCommand statistics = new StatisticsCommand();

    /// Whether a linked command has failed, and those that follow are cancelled.
    private boolean cancelling;

    private int budget;
    private int tableWork;
    private int flushes;
    private int newsTold;
    private long commandsTaken;
    private long commandsCounted;
    private long failures;
    private long failuresCounted;
    private long submissionsCounted;

    /// What guests before had used.
    private final long gpuTimeBefore;

    private volatile boolean toBeDropped;

    /// Set by the poller when it serves this guest no more.
    private volatile boolean dropped;

    /// @param area shared with the guest
    /// @param wakeHost the guest signals it when the host sleeps
    /// @param wakeGuest wakes the guest, once it sleeps; called on the poller's thread
    /// @param onDropped told, on the poller's thread, that the poller serves it no more
    /// @param clockNs never runs backwards; asked only while the guest waits for something
    public PvGuest(
            PvPlace place,
            SharedArea area,
            HostWake wakeHost,
            Runnable wakeGuest,
            Runnable onDropped,
            LongSupplier clockNs) {
        this.place = place;
        this.area = area;
        this.wakeHost = wakeHost;
        this.onDropped = onDropped;
        this.clockNs = clockNs;
        PvQuotas quotas = place.quotas();
        requests = place.requests();
        gpuTimeBefore = requests.gpuTimeNs();
        data = area.data();
        commands = area.submissionConsumer();
        doorbell = area.guestDoorbell(wakeGuest);
        sleeper = area.hostSleeper();
        answers = new Answers(area.completionProducer(), quotas.commandsInFlight());
        memory =
                new GuestMemory(
                        place.vram(),
                        place.arena(),
                        quotas,
                        place.memory().base(),
                        data.byteSize());
        channels =
                new GuestChannels(area, place.arena(), requests, answers, place.gpu().channels());
        mapping = new Mapping(memory, data, quotas.mappedPages());
        waits = new FenceWaits(data, quotas.waits());
        MemorySegment entry = commands.entry();
        command.wrap(entry, 0);
        allocation.wrap(entry, 0);
        handle.wrap(entry, 0);
        map.wrap(entry, 0);
        mapStrided.wrap(entry, 0);
        mapList.wrap(entry, 0);
        unmap.wrap(entry, 0);
        channelCreate.wrap(entry, 0);
        submit.wrap(entry, 0);
        fenceQuery.wrap(entry, 0);
        fenceWait.wrap(entry, 0);
        statistics.wrap(entry, 0);
    }

    /// Whose guest it is.
    public PvPlace place() {
        return place;
    }

    /// Does what there is to do for this guest, up to a bound.
    ///
    /// @return how much was done
    int slice() {
        budget = SLICE_WORK;
        int work = place.inbox().poll(channels);
        memory.reclaim(answers);
        work += channels.watch();
        if (waits.count() > 0) {
            work += waits.check(clockNs.getAsLong(), answers);
        }
        work += takeCommands();
        if (work > 0) {
            handOn();
        }
        return work;
    }

    /// Whether there may be something to do soon of which nobody tells.
    boolean isWaiting() {
        return channels.isAnyWatched() || waits.count() > 0;
    }

    /// Says that the poller is about to sleep: the guest wakes it from now on.
    void announceSleep() {
        sleeper.announce();
    }

    /// Says that the poller is awake.
    void withdrawSleep() {
        sleeper.withdraw();
    }

    /// What the guest signals when the poller has said that it sleeps.
    int wakeDescriptor() {
        return wakeHost.descriptor();
    }

    /// Forgets what the guest signalled.
    ///
    /// @return false if it cannot signal any more, and its end would be readable for ever
    boolean drainWakeLine() {
        return wakeHost.drain();
    }

    /// Says that the poller is to serve this guest no more. Any thread.
    void requestDrop() {
        toBeDropped = true;
    }

    boolean isToBeDropped() {
        return toBeDropped;
    }

    /// Marks that the poller serves this guest no more; what it did for it is visible then.
    void markDropped() {
        dropped = true;
        onDropped.run();
    }

    /// Whether the poller serves this guest no more. Any thread.
    public boolean isDropped() {
        return dropped;
    }

    /// Takes everything that the guest has off the GPU, after the poller has dropped it, and gives
    /// back what it had. Waits for the GPU's owner.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the owner does not answer
    public void close() {
        requests.reset();
        memory.close(requests::flush);
        channels.close();
    }

    private int takeCommands() {
        int taken = 0;
        if (mapping.isUnderWay()) {
            goOn();
            taken++;
        }
        while (taken < SLICE_COMMANDS && budget > 0 && mayTake() && commands.poll()) {
            carryOut();
            taken++;
        }
        return taken;
    }

    private boolean mayTake() {
        return !mapping.isUnderWay()
                && answers.flushesUnderWay() + channels.underWay() + dirty.size() < MOST_REQUESTS
                && answers.canTake(waits.count());
    }

    private void carryOut() {
        commandsTaken++;
        budget--;
        if (cancelling) {
            end(Status.CANCELLED, 0);
            return;
        }
        Opcode opcode = Opcode.of(command.opcode());
        if (opcode == null) {
            end(Status.BAD_OPCODE, 0);
        } else if ((command.flags() & ~CommandEntry.ALL_FLAGS) != 0) {
            end(Status.BAD_FLAGS, 0);
        } else {
            dispatch(opcode);
        }
    }

    private void dispatch(Opcode opcode) {
        switch (opcode) {
            case NOP -> end(Status.OK, 0);
            case SUBMIT -> end(channels.submit(submit.channel(), submit.put()), 0);
            case MAP -> begun(mapping.begin(map));
            case MAP_STRIDED -> begun(mapping.begin(mapStrided));
            case MAP_LIST -> begun(mapping.begin(mapList));
            case UNMAP -> begun(mapping.begin(unmap));
            case FENCE_QUERY -> queryFence();
            case FENCE_WAIT -> waitForFence();
            case STATISTICS -> writeStatistics();
            case VRAM_ALLOC -> {
                made(memory.allocate(allocation.bytes()));
                budget -= SETUP_WORK + memory.work();
            }
            case VRAM_FREE -> {
                end(memory.free(handle.handle()), 0);
                budget -= SETUP_WORK + memory.work();
            }
            case SPACE_CREATE -> {
                budget -= SETUP_WORK;
                made(memory.createSpace());
            }
            case SPACE_DESTROY -> {
                budget -= SETUP_WORK;
                destroySpace();
            }
            case CHANNEL_CREATE -> {
                budget -= SETUP_WORK;
                underWay(channels.create(channelCreate, memory.space(channelCreate.space())));
            }
            case CHANNEL_DESTROY -> {
                budget -= SETUP_WORK;
                underWay(channels.destroy(handle.handle(), command));
            }
        }
    }

    /// Answers the command in hand.
    private void end(Status status, long result) {
        note(status, command.isLinked());
        if (status != Status.OK || !command.isQuiet()) {
            answers.answer(status, command.correlation(), 0, result);
        }
    }

    private void note(Status status, boolean linked) {
        boolean failed = status != Status.OK;
        failures += failed ? 1 : 0;
        cancelling = failed && linked;
    }

    private void made(Status status) {
        end(status, status == Status.OK ? Integer.toUnsignedLong(memory.result()) : 0);
    }

    /// What is under way is answered when it is done.
    private void underWay(Status status) {
        if (status == Status.OK) {
            cancelling = false;
        } else {
            end(status, 0);
        }
    }

    private void begun(Status status) {
        if (status == Status.OK) {
            goOn();
        } else {
            end(status, 0);
        }
    }

    private void goOn() {
        boolean ended = mapping.advance(Math.max(1, budget));
        budget -= mapping.work();
        tableWork += mapping.work();
        GuestSpace space = mapping.space();
        boolean changed = mapping.done() > 0;
        if ((ended && changed || memory.wantsFlush()) && space.shown && !space.dirty) {
            space.dirty = true;
            dirty.add(space);
        }
        if (!ended) {
            return;
        }
        Status status = mapping.status();
        note(status, mapping.isLinked());
        if (status == Status.OK && mapping.isQuiet()) {
            return;
        }
        if (changed && space.shown) {
            answers.hold(status, mapping.correlation(), mapping.done());
        } else {
            answers.answer(status, mapping.correlation(), mapping.done(), 0);
        }
    }

    private void destroySpace() {
        GuestSpace space = memory.space(handle.handle());
        Status status = memory.destroySpace(handle.handle(), answers.flushesAsked());
        if (status != Status.OK || !space.shown) {
            end(status, 0);
            return;
        }
        flush(space);
        space.lastFlush = answers.flushesAsked();
        note(status, command.isLinked());
        if (!command.isQuiet()) {
            answers.hold(status, command.correlation(), 0);
        }
    }

    private void queryFence() {
        Status status = checkData(fenceQuery.offset(), Integer.BYTES, Integer.BYTES);
        boolean good = status == Status.OK;
        end(status, good ? Integer.toUnsignedLong(waits.word(fenceQuery.offset())) : 0);
    }

    private void waitForFence() {
        long offset = fenceWait.offset();
        Status status = checkData(offset, Integer.BYTES, Integer.BYTES);
        if (status != Status.OK) {
            end(status, 0);
            return;
        }
        int word = waits.word(offset);
        if (FenceWaits.isReached(word, fenceWait.value())) {
            end(Status.OK, Integer.toUnsignedLong(word));
        } else if (waits.isFull()) {
            end(Status.QUOTA_WAITS, 0);
        } else {
            cancelling = false;
            waits.add(
                    offset,
                    fenceWait.value(),
                    clockNs.getAsLong(),
                    fenceWait.timeoutNs(),
                    fenceWait.correlation(),
                    fenceWait.isQuiet());
        }
    }

    private void writeStatistics() {
        long room = Integer.toUnsignedLong(statistics.bytes());
        long offset = statistics.offset();
        Status status = checkData(offset, Math.max(room, 1), Long.BYTES);
        if (status != Status.OK) {
            end(status, 0);
            return;
        }
        long done = 0;
        for (Statistic statistic : STATISTICS) {
            if (statistic.offset() + Long.BYTES <= room) {
                data.set(WireType.U64, offset + statistic.offset(), valueOf(statistic));
                done += Long.BYTES;
            }
        }
        note(Status.OK, command.isLinked());
        if (!command.isQuiet()) {
            answers.answer(Status.OK, command.correlation(), done, 0);
        }
    }

    private long valueOf(Statistic statistic) {
        return switch (statistic) {
            case COMMANDS -> commandsTaken;
            case FAILED_COMMANDS -> failures;
            case VRAM_BYTES -> memory.vramBytes();
            case HANDLES -> memory.handles();
            case SPACES -> memory.spaces();
            case CHANNELS -> channels.open();
            case MAPPED_PAGES -> memory.mappedPages();
            case SUBMISSIONS -> channels.submissions();
            case GPU_TIME_NS -> requests.gpuTimeNs() - gpuTimeBefore;
        };
    }

    private Status checkData(long offset, long bytes, int alignment) {
        if (offset < 0 || bytes > data.byteSize() || offset > data.byteSize() - bytes) {
            return Status.BAD_RANGE;
        }
        return offset % alignment == 0 ? Status.OK : Status.MISALIGNED;
    }

    private void flush(GuestSpace space) {
        space.dirty = false;
        requests.flush(space.tables().directoryIova());
        answers.flushAsked();
        flushes++;
    }

    /// Hands on what a slice has left: flushes first, so that what is submitted finds page tables
    /// in force.
    private void handOn() {
        for (int i = 0; i < dirty.size(); i++) {
            if (dirty.get(i).dirty) {
                flush(dirty.get(i));
            }
        }
        dirty.clear();
        answers.allAsked();
        memory.flushAsked(answers.flushesAsked());
        channels.ring();
        commands.release();
        boolean news = channels.news() != newsTold;
        if (news) {
            count(PvCounter.NEWS, channels.news() - newsTold);
            newsTold = channels.news();
            area.news(newsTold);
        }
        if ((answers.takePublished() || news) && doorbell.ring()) {
            count(PvCounter.WAKES, 1);
        }
        count();
    }

    private void count() {
        count(PvCounter.COMMANDS, commandsTaken - commandsCounted);
        count(PvCounter.FAILED_COMMANDS, failures - failuresCounted);
        count(PvCounter.SUBMISSIONS, channels.submissions() - submissionsCounted);
        count(PvCounter.PAGE_TABLE_WORK, tableWork);
        count(PvCounter.FLUSHES, flushes);
        commandsCounted = commandsTaken;
        failuresCounted = failures;
        submissionsCounted = channels.submissions();
        tableWork = 0;
        flushes = 0;
    }

    private void count(PvCounter counter, long amount) {
        if (amount != 0) {
            place.counters().add(counter, amount);
        }
    }
}
