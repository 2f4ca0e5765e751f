package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Range of VRAM, accessed word by word through a slice of BAR3, which even a GPU without mappable
/// memory offers.
final class VramPiece implements AutoCloseable {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    private final Bench bench;
    private final long start;
    private final BarSlice slice;

    /// @param vramOffset start of the range, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    VramPiece(Bench bench, long vramOffset, long bytes) {
        this.bench = bench;
        start = vramOffset;
        slice = bench.gpu.openSlice(Bar.BAR3, bytes);
        for (int page = 0; page < bytes / Bench.PAGE_BYTES; page++) {
            long shown = vramOffset + page * Bench.PAGE_BYTES;
            slice.set(page, PageTableEntry.of(MemoryTarget.VRAM, shown));
        }
        slice.flush();
    }

    /// Updates the BAR after a change of the page tables' geometry.
    void flush() {
        slice.flush();
    }

    int word(long vramOffset) {
        return bench.readBar(slice.bar(), offsetOf(vramOffset));
    }

    void word(long vramOffset, int value) {
        bench.gpu.write(slice.bar(), offsetOf(vramOffset), Integer.BYTES, value);
    }

    void quad(long vramOffset, long value) {
        bench.gpu.write(slice.bar(), offsetOf(vramOffset), Long.BYTES, value);
    }

    /// Copies words to VRAM.
    void fill(long vramOffset, MemorySegment words) {
        for (long into = 0; into < words.byteSize(); into += Integer.BYTES) {
            word(vramOffset + into, words.get(WORD, into));
        }
    }

    @Override
    public void close() {
        slice.close();
    }

    private long offsetOf(long vramOffset) {
        return slice.offset() + vramOffset - start;
    }
}
