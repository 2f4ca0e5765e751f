package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The channels' USERD areas and instance blocks in VRAM: a window to write them through, and a
/// slice of BAR1 through which doorbells ring.
final class ControlArea implements AutoCloseable {
    /// What of an instance block a channel's start depends on: RAMFC, and the pointers behind it.
    private static final long INSTANCE_USED_BYTES = InstanceBlock.BYTES / 4;

    private static final long USERD_USED_BYTES = Userd.IB_PUT + Integer.BYTES;

    private final Bench bench;
    private final long start;
    private final VramWindow window;
    private final BarSlice doorbells;

    ControlArea(Bench bench, long vramOffset, long bytes) {
        this.bench = bench;
        this.start = vramOffset;
        window = bench.gpu.openWindow(bytes);
        window.point(vramOffset);
        doorbells = bench.gpu.openSlice(Bar.BAR1, (long) Pfifo.CHANNELS * Userd.BYTES);
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            long userd = Bench.userdVram(channel);
            doorbells.set(channel, PageTableEntry.of(MemoryTarget.VRAM, userd));
        }
        doorbells.flush();
    }

    /// Has the BAR follow a change of the page tables' geometry.
    void flush() {
        doorbells.flush();
    }

    /// A channel's USERD area, zeroed. Tells PFIFO where the doorbells are, for a reset may have
    /// been since the last channel.
    Userd newUserd(int channel) {
        int base = (int) Pfifo.USERD_BASE_ADDRESS.ofBytes(doorbells.offset());
        bench.write(Pfifo.USERD_BASE, base | Pfifo.USERD_BASE_VALID.of(1));
        long offset = Bench.userdVram(channel) - start;
        zero(offset, USERD_USED_BYTES);
        return new Userd().wrap(window.memory(), offset);
    }

    /// Zeroes a channel's instance block and fills it.
    void fill(int channel, AddressSpace space, long ringGpuVa, int ringOrder) {
        long offset = Bench.instanceVram(channel) - start;
        zero(offset, INSTANCE_USED_BYTES);
        fill(window.memory(), offset, channel, space, ringGpuVa, ringOrder);
    }

    /// A channel's RAMFC.
    Ramfc ramfc(int channel) {
        return new Ramfc().wrap(window.memory(), Bench.instanceVram(channel) - start);
    }

    /// Fills a zeroed instance block in any memory.
    static void fill(
            MemorySegment memory,
            long offset,
            int channel,
            AddressSpace space,
            long ringGpuVa,
            int ringOrder) {
        space.describe(new InstanceBlock().wrap(memory, offset));
        new Ramfc()
                .wrap(memory, offset)
                .initialize(MemoryTarget.VRAM, Bench.userdVram(channel), ringGpuVa, ringOrder);
    }

    /// Writes a channel's put index where the GPU watches.
    void ring(int channel, int put) {
        // What the GPU is to read must be in memory before it is told to look.
        VarHandle.fullFence();
        long offset = doorbells.offset() + (long) channel * Userd.BYTES + Userd.IB_PUT;
        bench.gpu.write(Bar.BAR1, offset, Integer.BYTES, Integer.toUnsignedLong(put));
    }

    @Override
    public void close() {
        doorbells.close();
        window.close();
    }

    private void zero(long offset, long bytes) {
        for (long into = 0; into < bytes; into += Integer.BYTES) {
            window.memory().set(ValueLayout.JAVA_INT, offset + into, 0);
        }
    }
}
