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

/// What a test works with: a GPU that was just reset, and, when first asked for, host memory that
/// the GPU reaches, an address space that shows it, and channels.
///
/// ```text
///  VRAM                                    host memory, 1 MiB, given out in pages
///   1 MiB  USERD areas, 128 pages           tables, rings, push buffers, semaphores, data
///   1.5    instance blocks, 128 pages
///   16     data, 8 MiB                     address space: host memory at HOST_VA,
///                                           VRAM data at VRAM_VA
/// ```
///
/// Small things lie in host memory wherever the hardware lets them, because each access through a
/// BAR may be a trap.
final class Bench implements AutoCloseable {
    static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    static final long MIB = 1L << 20;

    /// Where the address space shows [#host()].
    static final long HOST_VA = 1L << 28;

    /// Where the address space shows VRAM from [#VRAM_DATA] on.
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

    /// Keeps something open until the test ends.
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

    /// What registers held when the GPU was opened.
    PowerOnState powerOn() {
        return driven.powerOn();
    }

    /// Bus addresses that nobody uses, in one piece; aligned to a large page.
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

    /// Lets the GPU at host memory until the test ends.
    void map(DmaMapping mapping) {
        gpu.mapDma(mapping);
        keep(() -> gpu.unmapDma(mapping.iova(), mapping.bytes()));
    }

    /// New host memory, which the GPU does not reach.
    DmaBuffer memory(long bytes) {
        return keep(DmaBuffer.create(bytes));
    }

    /// Host memory that the GPU reaches.
    DmaBuffer host() {
        if (host == null) {
            host = memory(HOST_BYTES);
            hostIova = iova(HOST_BYTES);
            map(host.at(hostIova));
        }
        return host;
    }

    /// Takes pages of zeros from [#host()].
    ///
    /// @return their offset in it
    long allocate(long bytes) {
        long offset = allocated;
        allocated += bytes + PAGE_BYTES - 1 & -PAGE_BYTES;
        if (allocated > host().bytes()) {
            throw new IllegalStateException(
                    "host bytes=%d, limit=%d".formatted(allocated, HOST_BYTES));
        }
        return offset;
    }

    /// Where the GPU sees an offset in [#host()] on its bus.
    long hostIova(long offset) {
        host();
        return hostIova + offset;
    }

    /// The address space that shows host memory and VRAM.
    TestAddressSpace space() {
        if (space == null) {
            space = newSpace();
        }
        return space;
    }

    /// Another address space, with its tables in host memory, that shows the same.
    TestAddressSpace newSpace() {
        return showHost(new TestAddressSpace(this, new HostTables(this)))
                .map(VRAM_VA, MemoryTarget.VRAM, VRAM_DATA, VRAM_DATA_BYTES);
    }

    /// Has an address space show host memory, without which its channels have neither ring nor push
    /// buffer.
    TestAddressSpace showHost(TestAddressSpace shown) {
        return shown.map(HOST_VA, MemoryTarget.SYSTEM_COHERENT, hostIova(0), HOST_BYTES);
    }

    /// USERD areas and instance blocks.
    ControlArea control() {
        if (control == null) {
            control = keep(new ControlArea(this, CONTROL_VRAM, CONTROL_BYTES));
        }
        return control;
    }

    /// VRAM offset of a channel's USERD area.
    static long userdVram(int channel) {
        return CONTROL_VRAM + (long) channel * Userd.BYTES;
    }

    /// VRAM offset of a channel's instance block.
    static long instanceVram(int channel) {
        return CONTROL_VRAM + INSTANCES + (long) channel * InstanceBlock.BYTES;
    }

    /// A channel of [#space()] that is bound, but not runnable and not in the runlist.
    TestChannel channel(int id) {
        return channel(id, space(), MemoryTarget.VRAM);
    }

    /// @param instanceTarget where its instance block is to lie
    TestChannel channel(int id, TestAddressSpace ofSpace, MemoryTarget instanceTarget) {
        TestChannel channel = new TestChannel(this, id, ofSpace, instanceTarget).bind();
        channels.add(channel);
        return channel;
    }

    /// A channel that runs, alone.
    TestChannel running(int id) {
        TestChannel channel = channel(id).start();
        runlist(id);
        return channel;
    }

    /// Resets the GPU; channels are gone, the rest of the bench can be used as before.
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

    /// What of the GPU's BARs the guest's VMM maps, if the GPU is a guest's.
    Optional<GuestMappings> mappings() {
        return driven.place().mappings();
    }

    /// Waits for something that the GPU does by itself.
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
                        "%s: not within %d s; %s"
                                .formatted(
                                        what, TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS), state()));
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /// What the GPU has to say when something did not happen.
    private String state() {
        return "PFIFO.INTR=%#x VM_FAULT_SOURCE=%#x ENGINE_STATUS[0]=%#x PBDMA.INTR[0]=%#x"
                .formatted(
                        read(Pfifo.INTR),
                        read(Pfifo.VM_FAULT_SOURCE),
                        read(Pfifo.ENGINE_STATUS.element(0)),
                        read(Pbdma.INTR.element(0)));
    }

    /// Has [#close()] leave channels as they are.
    void abandon() {
        channels.clear();
    }

    /// Stops all channels, gives everything back, and fails if the test has kept something.
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
                throw new AssertionError("the test left behind: " + left);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads BAR1 or BAR3 as 32-bit words.
    int readBar(Bar bar, long offset) {
        return (int) gpu.read(bar, offset, Integer.BYTES);
    }
}
