package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Register;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Environment of a test: a GPU that was just reset. Host memory that the GPU reaches, an address
/// space that maps it, and channels are created on first use.
///
/// ```text
///  VRAM                                    host memory, 1 MiB, allocated in pages
///   1 MiB  USERD areas, 128 pages           tables, rings, push buffers, semaphores, data
///   1.5    instance blocks, 128 pages
///   16     data, 8 MiB                     address space: host memory at HOST_VA,
///                                           VRAM data at VRAM_VA
/// ```
///
/// Small structures are in host memory if the hardware allows it, because each access through a BAR
/// may be a trap.
final class Bench implements AutoCloseable {
    static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    static final long MIB = 1L << 20;

    /// GPU virtual address of [#host()].
    static final long HOST_VA = 1L << 28;

    /// GPU virtual address of VRAM from [#VRAM_DATA] onwards.
    static final long VRAM_VA = 1L << 29;

    static final long VRAM_DATA = 16 * MIB;
    static final long VRAM_DATA_BYTES = 8 * MIB;

    private static final long HOST_BYTES = MIB;
    private static final long IOVA_ALIGNMENT = 2 * MIB;
    private static final long CONTROL_VRAM = MIB;
    private static final long INSTANCES = (long) Pfifo.CHANNELS * Userd.BYTES;
    private static final long CONTROL_BYTES = 2 * INSTANCES;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int SPINS = 500;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    final WatchedGpu gpu;
    final RegisterPort registers;
    private final DrivenGpu driven;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<TestChannel> channels = new ArrayList<>();
    private ControlArea control;
    private DmaBuffer host;
    private long hostIova;
    private long allocated;
    private long nextIova;
    private TestAddressSpace space;
    private long runlist = -1;

    Bench(DrivenGpu driven) {
        this.driven = driven;
        gpu = driven.device();
        registers = new RegisterPort(gpu);
        gpu.reset();
    }

    /// Keeps an object open until the test ends.
    <T extends AutoCloseable> T keep(T what) {
        opened.add(what);
        return what;
    }

    int read(Register register) {
        return registers.read(register);
    }

    void write(Register register, int value) {
        registers.write(register, value);
    }

    /// Returns the register values at the first opening of the GPU.
    PowerOnState powerOn() {
        return driven.powerOn();
    }

    /// Reserves a contiguous range of bus addresses, aligned to a large page, and returns its
    /// start.
    long iova(long bytes) {
        IovaRange range =
                gpu.iovaRanges().stream()
                        .max(Comparator.comparingLong(r -> r.last() - r.first()))
                        .orElseThrow();
        if (nextIova == 0) {
            nextIova = range.first() + IOVA_ALIGNMENT & -IOVA_ALIGNMENT;
        }
        long iova = nextIova;
        nextIova += bytes + IOVA_ALIGNMENT - 1 & -IOVA_ALIGNMENT;
        if (!range.contains(iova, bytes)) {
            throw new IllegalStateException("iova=%#x, limit=%s".formatted(iova, range));
        }
        return iova;
    }

    /// Maps host memory for the GPU until the test ends.
    void map(DmaMapping mapping) {
        gpu.mapDma(mapping);
        keep(() -> gpu.unmapDma(mapping.iova(), mapping.bytes()));
    }

    /// Allocates host memory that the GPU does not reach.
    DmaBuffer memory(long bytes) {
        return keep(DmaBuffer.create(bytes));
    }

    /// Returns the host memory that the GPU reaches.
    DmaBuffer host() {
        if (host == null) {
            host = memory(HOST_BYTES);
            hostIova = iova(HOST_BYTES);
            map(host.at(hostIova));
        }
        return host;
    }

    /// Allocates zeroed pages in [#host()].
    ///
    /// @return offset of the pages in that memory
    long allocate(long bytes) {
        long offset = allocated;
        allocated += bytes + PAGE_BYTES - 1 & -PAGE_BYTES;
        if (allocated > host().bytes()) {
            throw new IllegalStateException(
                    "host bytes=%d, limit=%d".formatted(allocated, HOST_BYTES));
        }
        return offset;
    }

    /// Returns the bus address of an offset in [#host()].
    long hostIova(long offset) {
        host();
        return hostIova + offset;
    }

    /// Returns the address space that maps host memory and VRAM.
    TestAddressSpace space() {
        if (space == null) {
            space = newSpace();
        }
        return space;
    }

    /// Creates another address space with the same mappings and with tables in host memory.
    TestAddressSpace newSpace() {
        return showHost(new TestAddressSpace(this, new HostTables(this)))
                .map(VRAM_VA, MemoryTarget.VRAM, VRAM_DATA, VRAM_DATA_BYTES);
    }

    /// Maps the host memory in an address space whose channels need it for rings and push buffers.
    TestAddressSpace showHost(TestAddressSpace shown) {
        return shown.map(HOST_VA, MemoryTarget.SYSTEM_COHERENT, hostIova(0), HOST_BYTES);
    }

    /// Returns the USERD areas and instance blocks.
    ControlArea control() {
        if (control == null) {
            control = keep(new ControlArea(this, CONTROL_VRAM, CONTROL_BYTES));
        }
        return control;
    }

    /// Returns the VRAM offset of a channel's USERD area.
    static long userdVram(int channel) {
        return CONTROL_VRAM + (long) channel * Userd.BYTES;
    }

    /// Returns the VRAM offset of a channel's instance block.
    static long instanceVram(int channel) {
        return CONTROL_VRAM + INSTANCES + (long) channel * InstanceBlock.BYTES;
    }

    /// Creates a channel of [#space()] that is bound, but neither runnable nor in the runlist.
    TestChannel channel(int id) {
        return channel(id, space(), MemoryTarget.VRAM);
    }

    /// @param instanceTarget memory of the channel's instance block
    TestChannel channel(int id, TestAddressSpace ofSpace, MemoryTarget instanceTarget) {
        TestChannel channel = new TestChannel(this, id, ofSpace, instanceTarget).bind();
        channels.add(channel);
        return channel;
    }

    /// Creates a channel that is runnable and alone in the runlist.
    TestChannel running(int id) {
        TestChannel channel = channel(id).start();
        runlist(id);
        return channel;
    }

    /// Resets the GPU. Channels become invalid; all other resources of the bench remain usable.
    void reset() {
        gpu.reset();
        channels.clear();
    }

    /// Commits a runlist, and waits until it is loaded.
    void runlist(int... ids) {
        if (runlist < 0) {
            runlist = allocate(PAGE_BYTES);
        }
        for (int i = 0; i < ids.length; i++) {
            host().quad(runlist + (long) i * RunlistEntry.BYTES, RunlistEntry.of(ids[i]));
        }
        write(
                Pfifo.RUNLIST,
                Pfifo.RUNLIST_TARGET.of(MemoryTarget.SYSTEM_COHERENT.pointerCode())
                        | (int) Pfifo.RUNLIST_ADDRESS.ofBytes(hostIova(runlist)));
        write(Pfifo.RUNLIST_LENGTH, ids.length);
        registers.await(
                "runlist", Pfifo.RUNLIST_LOADED_LENGTH, value -> !Pfifo.RUNLIST_BUSY.isSet(value));
    }

    /// Returns the mappings of the GPU's BARs in the guest's VMM; empty if the GPU is not a
    /// guest's.
    Optional<GuestMappings> mappings() {
        return driven.place().mappings();
    }

    /// Waits for an asynchronous operation of the GPU.
    void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int turn = 0; !condition.getAsBoolean(); turn++) {
            driven.place().doWork();
            if (turn < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            driven.place().checkAlive();
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError(
                        "%s: timeout, limit=%d s; %s"
                                .formatted(
                                        what, TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS), state()));
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /// Returns the values of registers that explain why a wait failed.
    private String state() {
        return "PFIFO.INTR=%#x VM_FAULT_SOURCE=%#x ENGINE_STATUS[0]=%#x PBDMA.INTR[0]=%#x"
                .formatted(
                        read(Pfifo.INTR),
                        read(Pfifo.VM_FAULT_SOURCE),
                        read(Pfifo.ENGINE_STATUS.element(0)),
                        read(Pbdma.INTR.element(0)));
    }

    /// Configures [#close()] to leave channels unchanged.
    void abandon() {
        channels.clear();
    }

    /// Stops all channels and releases all resources. Fails if the test has left resources open.
    @Override
    public void close() {
        try {
            if (!channels.isEmpty()) {
                write(Pfifo.RUNLIST_LENGTH, 0);
                channels.forEach(TestChannel::leave);
            }
            for (int i = opened.size() - 1; i >= 0; i--) {
                opened.get(i).close();
            }
            List<String> left = gpu.takeBack();
            if (!left.isEmpty()) {
                throw new AssertionError("resources that the test has not released: " + left);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads a 32-bit word of BAR1 or BAR3.
    int readBar(Bar bar, long offset) {
        return (int) gpu.read(bar, offset, Integer.BYTES);
    }
}
