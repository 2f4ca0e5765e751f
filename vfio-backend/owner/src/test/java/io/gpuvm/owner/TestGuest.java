package io.gpuvm.owner;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IovaShare;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A virtual machine's thread, reduced to its requests and completions. Its channels share one
/// address space that maps its arena.
///
/// ```text
///  arena: 0 directory   10000 table   50000 + c*4000: channel c: instance, USERD, ring, push
///  address space: the arena at ARENA_VA
/// ```
final class TestGuest implements CompletionInbox.Handler, AutoCloseable {
    static final long ARENA_VA = 1L << 28;

    private static final long PAGE = 4096;
    private static final long ARENA_BYTES = 1 << 20;
    private static final long TABLE = 0x10000;
    private static final long CHANNELS = 0x50000;
    private static final long CHANNEL_BYTES = 4 * PAGE;
    private static final long SEMAPHORE = 0xf7000;
    private static final long CODE = 0xf8000;
    private static final long MEMORY_BYTES = 1L << 32;
    private static final int RING_ORDER = 6;
    private static final int LONG_COPY_TIMES = 9;

    /// Offset of the word that a channel's program writes when it has finished.
    private static final long DONE = 0xf00;

    final GpuRequests requests;
    final List<String> told = new ArrayList<>();
    private final SharedGpuBench bench;
    private final MemFd file = MemFd.create("gpuvm-test", ARENA_BYTES);
    private final MappedMemory mapping =
            MappedMemory.map(file.descriptor(), 0, ARENA_BYTES, MappedMemory.Access.READ_WRITE);
    private final MemorySegment arena = mapping.segment();
    private final long arenaIova;
    private final CompletionRing inbox = new CompletionRing(64);
    private final int[] puts = new int[128];

    /// Ports of the sessions that use the channels.
    private final GpuRequests[] ports = new GpuRequests[128];

    /// @param channels number of channels that are reserved for the guest
    TestGuest(SharedGpuBench bench, String name, int number, int channels) {
        this.bench = bench;
        arenaIova = 0x60_0000_0000L + number * 0x1000_0000L;
        bench.gpu.mapDma(new DmaMapping(file.descriptor(), 0, ARENA_BYTES, arenaIova, true));
        IovaShare memory = new IovaShare(number * MEMORY_BYTES, MEMORY_BYTES);
        requests =
                bench.owner.attach(
                        new VmPart(name, memory, arena, arenaIova, inbox, () -> {}, channels));
        Arrays.fill(ports, requests);
        TableGeometry geometry = TableGeometry.BIG_PAGES_128K;
        arena.set(
                ValueLayout.JAVA_LONG,
                (long) geometry.directoryIndex(ARENA_VA) * PageDirectoryEntry.BYTES,
                PageDirectoryEntry.withSmallTable(
                        0, MemoryTarget.SYSTEM_COHERENT, arenaIova + TABLE));
        for (long page = 0; page < ARENA_BYTES / PAGE; page++) {
            arena.set(
                    ValueLayout.JAVA_LONG,
                    TABLE + page * PageTableEntry.BYTES,
                    PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, arenaIova + page * PAGE));
        }
    }

    /// Makes a channel that is not open belong to another session.
    TestGuest through(GpuRequests session, int channel) {
        ports[channel] = session;
        return this;
    }

    /// Opens a channel: binds it and makes it runnable, but does not add it to the runlist.
    TestGuest open(int channel) {
        long base = CHANNELS + channel * CHANNEL_BYTES;
        new InstanceBlock()
                .wrap(arena, base)
                .directory(MemoryTarget.SYSTEM_COHERENT, arenaIova)
                .limit(TableGeometry.VA_MASK);
        new Ramfc()
                .wrap(arena, base)
                .initialize(
                        MemoryTarget.SYSTEM_COHERENT,
                        arenaIova + base + PAGE,
                        ARENA_VA + base + 2 * PAGE,
                        RING_ORDER);
        ports[channel].bind(channel, arenaIova + base, arenaIova + base + PAGE);
        ports[channel].run(channel, true);
        return this;
    }

    /// Binds a channel to the blocks of channel 0. The channel must receive no work.
    void bind(int channel) {
        requests.bind(channel, arenaIova + CHANNELS, arenaIova + CHANNELS + PAGE);
    }

    /// Returns the bus address of the page directory.
    long directoryIova() {
        return arenaIova;
    }

    /// Unbinds a channel, and clears its memory when the owner reports that the GPU has released
    /// it.
    ///
    /// @param turn runs one turn of the GPU, the owner and the guests
    TestGuest close(int channel, Runnable turn) {
        long base = CHANNELS + channel * CHANNEL_BYTES;
        told.clear();
        requests.unbind(channel);
        requests.preempt(channel);
        while (!told.contains("preempted " + channel)) {
            turn.run();
        }
        puts[channel] = 0;
        arena.asSlice(base, CHANNEL_BYTES).fill((byte) 0);
        return this;
    }

    void list(int... channels) {
        requests.runlist(channels, channels.length);
    }

    /// Submits words, followed by a semaphore release that writes `value` to the channel's word.
    void submit(int channel, int value, int... words) {
        long base = CHANNELS + channel * CHANNEL_BYTES;
        long push = base + 3 * PAGE + puts[channel] * 128L;
        int length = 0;
        for (int word : words) {
            arena.set(ValueLayout.JAVA_INT, push + 4L * length++, word);
        }
        int trigger =
                ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                        | ChannelClass.RELEASE_SHORT.of(1);
        long done = ARENA_VA + base + 2 * PAGE + DONE;
        int[] tail = {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (done >>> 32),
            (int) done,
            value,
            trigger
        };
        for (int word : tail) {
            arena.set(ValueLayout.JAVA_INT, push + 4L * length++, word);
        }
        arena.set(
                ValueLayout.JAVA_LONG,
                base + 2 * PAGE + 8L * puts[channel],
                GpfifoEntry.of(ARENA_VA + push, length));
        puts[channel] = puts[channel] + 1 & (1 << RING_ORDER) - 1;
        ports[channel].ring(channel, puts[channel]);
    }

    /// Submits a launch of one warp.
    ///
    /// @param source the kernel
    void submitLaunch(int channel, int value, String source) {
        long[] code = Assembler.code("kernel", source);
        for (int i = 0; i < code.length; i++) {
            arena.set(ValueLayout.JAVA_LONG, CODE + (long) i * Long.BYTES, code[i]);
        }
        int warp = ComputeClass.DIMENSION_X.of(32) | ComputeClass.DIMENSION_Y.of(1);
        int one = ComputeClass.DIMENSION_X.of(1) | ComputeClass.DIMENSION_Y.of(1);
        submit(
                channel,
                value,
                MethodHeader.increasing(1, ChannelClass.SET_OBJECT, 1),
                ChannelClass.object(ClassId.COMPUTE),
                MethodHeader.increasing(1, ComputeClass.CODE_ADDRESS_HIGH, 2),
                0,
                (int) (ARENA_VA + CODE),
                MethodHeader.increasing(1, ComputeClass.SHARED_BYTES, 3),
                0,
                32,
                0,
                MethodHeader.increasing(1, ComputeClass.REGISTERS, 1),
                8,
                MethodHeader.increasing(1, ComputeClass.BLOCK_YX, 3),
                warp,
                1,
                0,
                MethodHeader.increasing(1, ComputeClass.GRID_YX, 2),
                one,
                1,
                MethodHeader.increasing(1, ComputeClass.LAUNCH, 1),
                0);
    }

    /// Submits a copy that outlasts every timeout.
    void submitEndless(int channel) {
        submit(channel, 1, graphCopyWords(-1));
    }

    /// Returns words for copies of a page by PGRAPH.
    ///
    /// @param times number of copies, unsigned
    static int[] graphCopyWords(int times) {
        return new int[] {
            MethodHeader.increasing(2, ChannelClass.SET_OBJECT, 1),
            ChannelClass.object(ClassId.M2MF),
            MethodHeader.increasing(2, M2mfClass.OFFSET_OUT_HIGH, 2),
            0,
            (int) (ARENA_VA + ARENA_BYTES - PAGE),
            MethodHeader.increasing(2, M2mfClass.OFFSET_IN_HIGH, 2),
            0,
            (int) (ARENA_VA + ARENA_BYTES - 2 * PAGE),
            MethodHeader.increasing(2, M2mfClass.PITCH_IN, 4),
            0,
            0,
            (int) PAGE,
            times,
            MethodHeader.increasing(2, M2mfClass.EXEC, 1),
            M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1)
        };
    }

    /// Returns words that wait until the guest's semaphore has a value.
    int[] acquireWords(int value) {
        long gpuVa = ARENA_VA + SEMAPHORE;
        return new int[] {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (gpuVa >>> 32),
            (int) gpuVa,
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.ACQUIRE_EQUAL)
        };
    }

    /// Sets the guest's semaphore.
    void semaphore(int value) {
        arena.set(ValueLayout.JAVA_INT, SEMAPHORE, value);
    }

    /// Submits copies of a page by a copy engine that take the GPU about 300 turns.
    ///
    /// @param copy class of the copy engine
    void submitLongCopy(int channel, ClassId copy) {
        int[] once = copyWords(copy, CopyClass.Y_COUNT_MASK);
        int[] words = Arrays.copyOf(once, once.length + LONG_COPY_TIMES);
        int exec = once[once.length - 1];
        Arrays.fill(words, once.length - 1, words.length, exec);
        words[once.length - 2] = MethodHeader.nonIncreasing(4, CopyClass.EXEC, 1 + LONG_COPY_TIMES);
        submit(channel, 1, words);
    }

    /// Returns words for copies of a page by a copy engine.
    ///
    /// @param times number of copies
    static int[] copyWords(ClassId copy, int times) {
        return new int[] {
            MethodHeader.increasing(4, ChannelClass.SET_OBJECT, 1),
            ChannelClass.object(copy),
            MethodHeader.increasing(4, CopyClass.SRC_ADDRESS_HIGH, 4),
            0,
            (int) (ARENA_VA + ARENA_BYTES - 2 * PAGE),
            0,
            (int) (ARENA_VA + ARENA_BYTES - PAGE),
            MethodHeader.increasing(4, CopyClass.SRC_PITCH, 4),
            0,
            0,
            (int) PAGE,
            times,
            MethodHeader.increasing(4, CopyClass.EXEC, 1),
            CopyClass.EXEC_SRC_LINEAR.of(1) | CopyClass.EXEC_DST_LINEAR.of(1)
        };
    }

    /// Returns the word that a channel's last program wrote.
    int done(int channel) {
        return arena.get(
                ValueLayout.JAVA_INT, CHANNELS + channel * CHANNEL_BYTES + 2 * PAGE + DONE);
    }

    void poll() {
        inbox.poll(this);
    }

    @Override
    public void onFlushed() {
        told.add("flushed");
    }

    @Override
    public void onPreempted(int channel) {
        told.add("preempted " + channel);
    }

    @Override
    public void onRunlistLoaded() {
        told.add("runlist");
    }

    @Override
    public void onNonStall(int engine) {
        told.add("nonstall " + engine);
    }

    @Override
    public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
        told.add("fault %x of %d at %x".formatted(unit, channel, gpuVa));
    }

    @Override
    public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {
        told.add("pbdma of %d: %x %x %x".formatted(channel, interrupts, method, data));
    }

    @Override
    public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
        told.add("gpc %d tpc %d: %x %x".formatted(gpc, tpc, warpError, globalError));
    }

    @Override
    public void onGraphTrap(
            int channel, int interrupts, int address, int data, int code, int classId) {
        told.add("graph of %d: %x %x".formatted(channel, interrupts, classId));
    }

    @Override
    public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {
        told.add("copy %d of %d: %x %x".formatted(engine, channel, error, data));
    }

    @Override
    public void onHung(int engine, int channel) {
        told.add("hung %d on %d".formatted(channel, engine));
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}
