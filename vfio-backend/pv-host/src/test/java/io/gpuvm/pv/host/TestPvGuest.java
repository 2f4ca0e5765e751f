package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.WakeLine;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.FenceWaitCommand;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.VramAllocCommand;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.softgpu.SoftGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Guest at the other end of the rings, on the bench's thread: sends commands and waits for
/// answers.
final class TestPvGuest implements BenchGuest {
    /// Offset in the data area of the ring of [#openChannel].
    static final long RING = 0x10000;

    /// GPU address of the data area.
    static final long DATA_VA = 1L << 28;

    static final int RING_ORDER = 6;

    private static final int RING_ENTRIES = 256;
    private static final long PUSH = 0x20000;

    final PvPlace place;
    final PvSeat seat;
    final SharedArea area;
    final MemorySegment data;
    final PvGuest host;
    final RingProducer commands;
    final RingConsumer completions;
    final CompletionEntry answer = new CompletionEntry();
    final WakeLine wakeHostLine = WakeLine.create();
    final WakeLine wakeGuestLine = WakeLine.create();
    final EventFd wakeHost = EventFd.adopt(wakeHostLine.far());
    final EventFd wakeGuest = EventFd.adopt(wakeGuestLine.far());
    private final PvBench bench;
    private final MemFd file;
    private final MappedMemory mapping;
    private long correlation;
    private int put;
    private int flags;
    private boolean lost;

    TestPvGuest(PvBench bench, PvPlace place, PvSeat seat) {
        this.bench = bench;
        this.place = place;
        this.seat = seat;
        PvQuotas quotas = place.quotas();
        AreaLayout layout =
                AreaLayout.of(
                        place.gpuOfOne().channels(),
                        RING_ENTRIES,
                        RING_ENTRIES,
                        quotas.dataBytes());
        file = MemFd.create("gpuvm-test", layout.bytes());
        mapping =
                MappedMemory.map(
                        file.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
        PvLimits limits =
                new PvLimits(
                        place.gpuOfOne(),
                        quotas.handles(),
                        quotas.spaces(),
                        quotas.mappedPages(),
                        quotas.commandsInFlight(),
                        quotas.waits());
        area = SharedArea.create(mapping.segment(), layout, limits);
        bench.gpu.mapDma(
                new DmaMapping(
                        file.descriptor(),
                        layout.data(),
                        layout.dataBytes(),
                        place.memory().toBus(seat.dataGuestPhysical()),
                        true));
        host =
                new PvGuest(
                        place,
                        seat,
                        area,
                        HostWake.of(wakeHostLine),
                        () -> {},
                        new CommandWork(place, seat, area, wakeGuestLine::signal, bench::nowNs));
        SharedArea own = SharedArea.attach(mapping.segment());
        data = own.data();
        commands = own.submissionProducer();
        completions = own.completionConsumer();
        answer.wrap(completions.entry(), 0);
    }

    @Override
    public PvGuest host() {
        return host;
    }

    @Override
    public PvSeat seat() {
        return seat;
    }

    @Override
    public void unmap(SoftGpu gpu) {
        gpu.unmapDma(place.memory().toBus(seat.dataGuestPhysical()), data.byteSize());
    }

    /// Sets the flags of later commands.
    TestPvGuest withFlags(int all) {
        flags = all;
        return this;
    }

    long nop() {
        return send(CommandOpcode.NOP, new CommandEntry().wrap(commands.memory(), claim()));
    }

    long allocateVram(long bytes) {
        return send(
                CommandOpcode.VRAM_ALLOC,
                new VramAllocCommand().wrap(commands.memory(), claim()).bytes(bytes));
    }

    long onHandle(CommandOpcode opcode, int handle) {
        return send(opcode, new HandleCommand().wrap(commands.memory(), claim()).handle(handle));
    }

    long createSpace() {
        return send(
                CommandOpcode.SPACE_CREATE, new CommandEntry().wrap(commands.memory(), claim()));
    }

    long map(int space, long gpuVa, int memory, long offset, long bytes, int options) {
        return send(
                CommandOpcode.MAP,
                new MapCommand()
                        .wrap(commands.memory(), claim())
                        .space(space)
                        .gpuVa(gpuVa)
                        .memory(memory)
                        .offset(offset)
                        .bytes(bytes)
                        .options(options));
    }

    MapStridedCommand strided() {
        return new MapStridedCommand().wrap(commands.memory(), claim()).options(0);
    }

    MapListCommand list() {
        return new MapListCommand().wrap(commands.memory(), claim()).options(0);
    }

    long unmap(int space, long gpuVa, long bytes) {
        return send(
                CommandOpcode.UNMAP,
                new UnmapCommand()
                        .wrap(commands.memory(), claim())
                        .space(space)
                        .gpuVa(gpuVa)
                        .bytes(bytes));
    }

    long createChannel(int space, long ringGpuVa, int order) {
        return send(
                CommandOpcode.CHANNEL_CREATE,
                new ChannelCreateCommand()
                        .wrap(commands.memory(), claim())
                        .space(space)
                        .ringGpuVa(ringGpuVa)
                        .ringOrder(order));
    }

    long submit(int channel, int upTo) {
        return send(
                CommandOpcode.SUBMIT,
                new SubmitCommand().wrap(commands.memory(), claim()).channel(channel).put(upTo));
    }

    long queryFence(long offset) {
        return send(
                CommandOpcode.FENCE_QUERY,
                new FenceQueryCommand().wrap(commands.memory(), claim()).offset(offset));
    }

    long declareFences(long offset, int count) {
        return send(
                CommandOpcode.FENCE_DECLARE,
                new FenceDeclareCommand()
                        .wrap(commands.memory(), claim())
                        .offset(offset)
                        .count(count));
    }

    long waitForFence(long offset, int value, long timeoutNs) {
        return send(
                CommandOpcode.FENCE_WAIT,
                new FenceWaitCommand()
                        .wrap(commands.memory(), claim())
                        .offset(offset)
                        .value(value)
                        .timeoutNs(timeoutNs));
    }

    long statistics(long offset, int bytes) {
        return send(
                CommandOpcode.STATISTICS,
                new StatisticsCommand()
                        .wrap(commands.memory(), claim())
                        .offset(offset)
                        .bytes(bytes));
    }

    /// Sends a command whose operands have been written.
    long send(CommandOpcode opcode, CommandEntry entry) {
        return send(CommandEntry.tag(opcode, flags), entry);
    }

    long send(int tag, CommandEntry entry) {
        entry.correlation(++correlation);
        commands.publish(tag);
        return correlation;
    }

    long claim() {
        long at = commands.claim();
        assertTrue(at != RingProducer.FULL, "the submission ring is full");
        return at;
    }

    /// Waits for the next answer, and copies it to [#answer].
    CompletionEntry next() {
        bench.runUntil("an answer", completions::poll);
        completions.release();
        return answer;
    }

    /// Waits for the answer to a command, which must be the next answer.
    ///
    /// @return result of the command
    long expect(CommandStatus status, long to) {
        next();
        assertEquals(to, answer.correlation(), () -> "answer to another command: " + answer);
        assertEquals(status, answer.status());
        return answer.result();
    }

    /// Waits for a command to succeed.
    ///
    /// @return result of the command
    int ok(long to) {
        return (int) expect(CommandStatus.OK, to);
    }

    /// Creates an address space that maps the data area at [#DATA_VA].
    int openSpace() {
        int space = ok(createSpace());
        ok(map(space, DATA_VA, Handle.DATA_AREA, 0, data.byteSize(), 0));
        return space;
    }

    /// Creates a channel whose ring is at offset [#RING] of the data area. Only one channel at a
    /// time can use this ring.
    int openChannel(int space) {
        put = 0;
        return ok(createChannel(space, DATA_VA + RING, RING_ORDER));
    }

    /// Submits a push buffer of the given words.
    void run(int channel, int... words) {
        ok(enqueue(channel, words));
    }

    /// Submits a push buffer as [#run] does, and requests no answer.
    void runQuietly(int channel, int... words) {
        enqueue(channel, words);
    }

    private long enqueue(int channel, int... words) {
        long at = PUSH + put * 256L;
        MemorySegment.copy(words, 0, data, ValueLayout.JAVA_INT, at, words.length);
        data.setAtIndex(
                ValueLayout.JAVA_LONG,
                RING / GpfifoEntry.BYTES + put,
                GpfifoEntry.of(DATA_VA + at, words.length));
        put = put + 1 & (1 << RING_ORDER) - 1;
        return submit(channel, put);
    }

    /// Submits a semaphore release, by which a channel writes a word.
    void release(int channel, long gpuVa, int value) {
        run(channel, releaseWords(gpuVa, value));
    }

    static int[] releaseWords(long gpuVa, int value) {
        return new int[] {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (gpuVa >>> Integer.SIZE),
            (int) gpuVa,
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                    | ChannelClass.RELEASE_SHORT.of(1),
        };
    }

    int word(long offset) {
        return (int) ValueLayout.JAVA_INT.varHandle().getAcquire(data, offset);
    }

    ChannelSlot slot(int channel) {
        return area.channel(channel);
    }

    /// Simulates the loss of the shared area's memory.
    void loseMemory() {
        mapping.close();
        lost = true;
    }

    @Override
    public void close() {
        if (!lost) {
            mapping.close();
        }
        file.close();
        wakeHostLine.close();
        wakeGuestLine.close();
    }
}
