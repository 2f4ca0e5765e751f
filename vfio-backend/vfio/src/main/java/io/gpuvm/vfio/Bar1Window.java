package io.gpuvm.vfio;

import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/// Window to VRAM: a slice of BAR1 whose entries show consecutive pages.
///
/// Moving the window flushes the GPU's TLB, so [#point] and [#close] belong to the owner's thread.
/// The window's memory is uncached and suits accesses to single words; the copy engines transfer
/// bulk data.
final class Bar1Window implements VramWindow {
    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final BarSlice slice;
    private final MemorySegment memory;
    private final VramPages pages;
    private final long vramBytes;

    Bar1Window(BarSlice slice, MemorySegment memory, long vramBytes) {
        this.slice = slice;
        this.memory = memory;
        this.pages = VramPages.of(memory);
        this.vramBytes = vramBytes;
        show(0);
    }

    @Override
    public long bytes() {
        return slice.bytes();
    }

    @Override
    public void point(long vramOffset) {
        if (vramOffset % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "vramOffset=%d, expected a multiple of %d".formatted(vramOffset, PAGE_BYTES));
        }
        Objects.checkFromIndexSize(vramOffset, slice.bytes(), vramBytes);
        // Writes to the window may still be in flight, and would reach the new target of the
        // entries; a read flushes them (PCI Local Bus Specification 3.0, section 3.2.5).
        BYTE.getVolatile(memory, 0L);
        show(vramOffset);
    }

    private void show(long vramOffset) {
        for (int page = 0; page < slice.bytes() / PAGE_BYTES; page++) {
            slice.set(page, PageTableEntry.of(MemoryTarget.VRAM, vramOffset + page * PAGE_BYTES));
        }
        slice.flush();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public VramPages pages() {
        return pages;
    }

    @Override
    public void close() {
        slice.close();
    }
}
