package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Page tables in VRAM, which is not zeroed: entries are undefined until they are written.
final class VramTables implements TableMemory {
    private static final long START = 4 * Bench.MIB;
    private static final long BYTES = Bench.MIB / 4;

    private final VramPiece vram;
    private long allocated;
    private long lastWritten;

    VramTables(Bench bench) {
        vram = bench.keep(new VramPiece(bench, START, BYTES));
    }

    @Override
    public MemoryTarget target() {
        return MemoryTarget.VRAM;
    }

    @Override
    public long allocate(long bytes) {
        long offset = allocated;
        allocated += bytes + Bench.PAGE_BYTES - 1 & -Bench.PAGE_BYTES;
        if (allocated > BYTES) {
            throw new IllegalStateException("tables=%d, limit=%d".formatted(allocated, BYTES));
        }
        return START + offset;
    }

    @Override
    public void write(long physicalAddress, long entry) {
        vram.quad(physicalAddress, entry);
        lastWritten = physicalAddress;
    }

    /// Returns the physical address of the last write.
    long lastWritten() {
        return lastWritten;
    }
}
