package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import java.util.function.LongConsumer;

/// PRAMIN: movable 1 MiB window to VRAM in BAR0, through which drivers write page tables before the
/// BARs have page tables.
///
/// Behaviour: nouveau `nvkm/subdev/instmem/nv50.c`.
public final class PraminUnit implements Unit, RegisterTable.Window {
    private final MemoryPort memory;
    private final LongConsumer onMove;
    private int base;
    private long vramOffset;

    /// @param onMove receives the window's position in VRAM after each write of the position, and
    ///   at reset
    public PraminUnit(MemoryPort memory, LongConsumer onMove) {
        this.memory = memory;
        this.onMove = onMove;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        int bytes = Pramin.WINDOW.end() - Pramin.WINDOW.first();
        table.on(Pbus.PMEM, () -> base, this::point).window(Pramin.WINDOW.first(), bytes, this);
    }

    @Override
    public void reset() {
        point(0);
    }

    @Override
    public long read(long offset, int width) {
        return memory.read(MemoryTarget.VRAM, vramOffset + offset, width);
    }

    @Override
    public void write(long offset, int width, long value) {
        memory.write(MemoryTarget.VRAM, vramOffset + offset, width, value);
    }

    private void point(int value) {
        base = value;
        vramOffset = Pbus.PMEM_VRAM.bytes(value);
        onMove.accept(vramOffset);
    }
}
