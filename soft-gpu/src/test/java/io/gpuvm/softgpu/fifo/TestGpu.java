package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.linux.MemFd;
import io.gpuvm.softgpu.engine.ComputeParts;
import io.gpuvm.softgpu.engine.KernelError;
import io.gpuvm.softgpu.engine.KernelErrors;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.grid.GridRunner;
import io.gpuvm.softgpu.memory.SystemMemory;
import io.gpuvm.softgpu.memory.Vram;
import io.gpuvm.softgpu.sm.Kernels;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.TestExecutionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// PFIFO with engines, memory and registers only. The interrupt line is a field, and time is a
/// number that advances with each read.
public final class TestGpu implements AutoCloseable {
    public static final long VRAM_BYTES = 64L << 20;
    public static final long PAGE_BYTES = 4096;

    /// Offset of the USERD areas in BAR1.
    private static final long USERD_BAR_OFFSET = 0x10_0000;

    /// Offset of the USERD areas in VRAM.
    private static final long USERD_VRAM = 0x8_0000;

    private static final long RUNLIST_VRAM = 0x4_0000;

    /// Advance of the host's clock with each read, in nanoseconds.
    public static final long LOOK_NS = 10;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    public final Vram vram = new Vram(VRAM_BYTES);
    public final SystemMemory dma = new SystemMemory();
    public final PhysicalMemory memory = new PhysicalMemory(vram.pages(), dma);
    public final Mmu mmu = new Mmu(memory);
    public final WorkCounters counters = new WorkCounters();

    /// Times on a clock that advances with each read.
    public final ChannelTimes times = new ChannelTimes(() -> this.hostNs += LOOK_NS);

    public volatile boolean interrupted;
    public volatile boolean graphInterrupted;
    public volatile boolean copyInterrupted;
    public final GraphTrap graphTrap = new GraphTrap(level -> graphInterrupted = level);
    public final CopyTrap copyTrap = new CopyTrap(level -> copyInterrupted = level);
    public final KernelErrors kernelErrors = new KernelErrors(System::nanoTime);
    public final List<KernelError> errors = new ArrayList<>();
    public final GridRunner grids;
    public final Fifo fifo;
    public final RegisterTable registers;
    private final Kernels kernels = TestExecutionMode.kernels();
    private final List<MemFd> files = new ArrayList<>();
    private long nowNs;

    /// Clock of [#times], in nanoseconds.
    public long hostNs;

    private long nextVram = 0x20_0000;

    public TestGpu() {
        this(true);
    }

    public TestGpu(boolean copyEngines) {
        this(copyEngines, 1, 0);
    }

    /// @param workers number of threads that run blocks
    /// @param watchdogNs limit of a launch, in nanoseconds; 0 for no limit
    public TestGpu(boolean copyEngines, int workers, long watchdogNs) {
        kernelErrors.listen(errors::add);
        grids = new GridRunner(workers, number -> new Sm(number, mmu, () -> nowNs, kernels));
        fifo =
                new Fifo(
                        new FifoParts(
                                mmu,
                                dma,
                                () -> nowNs += 32,
                                level -> interrupted = level,
                                copyEngines,
                                counters,
                                times,
                                graphTrap,
                                copyTrap,
                                new CopyTrap(_ -> {}),
                                new ComputeParts(
                                        grids, watchdogNs, kernelErrors, List.of(4, 4, 3, 3))));
        RegisterTable.Builder builder = RegisterTable.builder(new UndeclaredAccesses((_, _) -> {}));
        registers = builder.unit(fifo).build();
        write(Pfifo.INTR_EN, 0x7fff_ffff | Pfifo.INTR_ENGINE.mask());
        write(Pfifo.ENGINE_INTR_ENABLE, 1);
        int userd = Pfifo.USERD_BASE_ADDRESS.of((int) (USERD_BAR_OFFSET / PAGE_BYTES));
        write(Pfifo.USERD_BASE, userd | Pfifo.USERD_BASE_VALID.of(1));
    }

    /// Allocates page-aligned, zeroed VRAM.
    public long allocate(long bytes) {
        long address = nextVram;
        nextVram += bytes + PAGE_BYTES - 1 & -PAGE_BYTES;
        if (nextVram > VRAM_BYTES) {
            throw new IllegalStateException("vram=%#x, limit=%#x".formatted(nextVram, VRAM_BYTES));
        }
        return address;
    }

    /// Creates a file of host memory.
    public MemFd file(long bytes) {
        MemFd file = MemFd.create("gpuvm-test", bytes);
        files.add(file);
        return file;
    }

    /// Maps new host memory for the GPU at a bus address.
    public MemFd mapHost(long iova, long bytes) {
        MemFd file = file(bytes);
        mapHost(iova, file);
        return file;
    }

    /// Maps new host memory for the GPU, read-only.
    public MemFd mapHostReadOnly(long iova, long bytes) {
        MemFd file = file(bytes);
        fifo.mapDma(new DmaMapping(file.descriptor(), 0, bytes, iova, false));
        return file;
    }

    /// Maps a whole file for the GPU; the caller remains the owner of the descriptor.
    public void mapHost(long iova, MemFd file) {
        fifo.mapDma(new DmaMapping(file.descriptor(), 0, file.bytes(), iova, true));
    }

    public int read(Register register) {
        return read(register.offset());
    }

    public int read(int offset) {
        return (int) registers.read(offset, Integer.BYTES);
    }

    public void write(Register register, int value) {
        write(register.offset(), value);
    }

    public void write(int offset, int value) {
        registers.write(offset, Integer.BYTES, Integer.toUnsignedLong(value));
    }

    /// Returns a word of VRAM.
    public int word(long vramOffset) {
        return vram.memory().get(ValueLayout.JAVA_INT_UNALIGNED, vramOffset);
    }

    public void word(long vramOffset, int value) {
        vram.memory().set(ValueLayout.JAVA_INT_UNALIGNED, vramOffset, value);
    }

    /// Returns a range of VRAM.
    public MemorySegment slice(long vramOffset, long bytes) {
        return vram.memory().asSlice(vramOffset, bytes);
    }

    public long userdVram(int channel) {
        return USERD_VRAM + channel * PAGE_BYTES;
    }

    /// Notifies PFIFO that a channel's put index was written through BAR1.
    public void doorbell(int channel) {
        fifo.onBar1Write(USERD_BAR_OFFSET + channel * PAGE_BYTES + 0x8c, Integer.BYTES);
    }

    /// Commits a runlist.
    public void runlist(int... channels) {
        for (int i = 0; i < channels.length; i++) {
            long entry = RunlistEntry.of(channels[i]);
            memory.write(
                    MemoryTarget.VRAM,
                    RUNLIST_VRAM + (long) i * RunlistEntry.BYTES,
                    RunlistEntry.BYTES,
                    entry);
        }
        write(Pfifo.RUNLIST, (int) (RUNLIST_VRAM / PAGE_BYTES));
        write(Pfifo.RUNLIST_LENGTH, channels.length);
    }

    /// Runs the engines on this thread until no channel can continue.
    public void run() {
        long start = System.nanoTime();
        while (fifo.doWork() > 0) {
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError("engines busy for %d ns".formatted(LIMIT_NS));
            }
        }
    }

    public long count(WorkCounter counter) {
        return counters.get(counter);
    }

    /// Returns the current GPU time in nanoseconds.
    public long nowNs() {
        return nowNs;
    }

    @Override
    public void close() {
        fifo.close();
        grids.close();
        TestExecutionMode.close(kernels);
        dma.close();
        vram.close();
        files.forEach(MemFd::close);
    }
}
