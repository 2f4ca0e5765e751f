package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Write access to the USERD areas and instance blocks of the channels in VRAM, and a slice of BAR1
/// for doorbells.
final class ControlArea implements AutoCloseable {
    /// Length of the part of an instance block on which the start of a channel depends: RAMFC, and
    /// the pointers after it.
    private static final int INSTANCE_USED_BYTES = InstanceBlock.BYTES / 4;

    private final Bench bench;
    private final VramPiece vram;
    private final BarSlice doorbells;

    ControlArea(Bench bench, long vramOffset, long bytes) {
        this.bench = bench;
        vram = new VramPiece(bench, vramOffset, bytes);
        doorbells = bench.gpu.openSlice(Bar.BAR1, (long) Pfifo.CHANNELS * Userd.BYTES);
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            long userd = Bench.userdVram(channel);
            doorbells.set(channel, PageTableEntry.of(MemoryTarget.VRAM, userd));
        }
        doorbells.flush();
    }

    /// Updates the BARs after a change of the page tables' geometry.
    void flush() {
        vram.flush();
        doorbells.flush();
    }

    /// Returns a channel's zeroed USERD area. Writes PFIFO's base of the doorbells, because a reset
    /// may have cleared it since the last channel.
    UserdPage newUserd(int channel) {
        int base = (int) Pfifo.USERD_BASE_ADDRESS.ofBytes(doorbells.offset());
        bench.write(Pfifo.USERD_BASE, base | Pfifo.USERD_BASE_VALID.of(1));
        vram.fill(Bench.userdVram(channel), words(UserdPage.USED_BYTES));
        return new UserdPage(bench.gpu, doorbells.offset() + (long) channel * Userd.BYTES);
    }

    /// Fills a channel's instance block.
    void fill(int channel, TestAddressSpace space, long ringGpuVa, int ringOrder) {
        MemorySegment block = words(INSTANCE_USED_BYTES);
        fill(block, 0, channel, space, ringGpuVa, ringOrder);
        vram.fill(Bench.instanceVram(channel), block);
    }

    /// Fills a zeroed instance block in any memory.
    static void fill(
            MemorySegment memory,
            long offset,
            int channel,
            TestAddressSpace space,
            long ringGpuVa,
            int ringOrder) {
        space.describe(new InstanceBlock().wrap(memory, offset));
        new Ramfc()
                .wrap(memory, offset)
                .initialize(MemoryTarget.VRAM, Bench.userdVram(channel), ringGpuVa, ringOrder);
    }

    /// Writes a channel's put index to the address that the GPU watches.
    void ring(int channel, int put) {
        // All data for the GPU must be in memory before the doorbell.
        VarHandle.fullFence();
        long offset = doorbells.offset() + (long) channel * Userd.BYTES + Userd.IB_PUT;
        bench.gpu.write(Bar.BAR1, offset, Integer.BYTES, Integer.toUnsignedLong(put));
    }

    @Override
    public void close() {
        doorbells.close();
        vram.close();
    }

    /// Returns zeroed bytes, aligned for flyweights.
    private static MemorySegment words(int bytes) {
        return MemorySegment.ofArray(new long[(bytes + Long.BYTES - 1) / Long.BYTES])
                .asSlice(0, bytes);
    }
}
