package io.gpuvm.gf100.translation;

import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.TableGeometry;

/// State that all address spaces of a GPU share: physical memory, the size of big pages, and the
/// generation of cached translations.
public final class Mmu {
    private final PhysicalMemory memory;
    private volatile TableGeometry geometry = TableGeometry.BIG_PAGES_128K;
    private volatile long generation = 1;

    public Mmu(PhysicalMemory memory) {
        this.memory = memory;
    }

    public PhysicalMemory memory() {
        return memory;
    }

    /// Applies bit 0 of `PFFB.VM.CFG` (100c80) to subsequent walks: if the bit is set, the size of
    /// big pages is 64 KiB, otherwise 128 KiB, as at power-on.
    public void bigPagesOf64KiB(boolean chosen) {
        geometry = chosen ? TableGeometry.BIG_PAGES_64K : TableGeometry.BIG_PAGES_128K;
    }

    /// Returns the current shape of page tables.
    public TableGeometry geometry() {
        return geometry;
    }

    /// Invalidates every cached translation of every address space and aperture. Register thread
    /// only. An aperture checks for stale translations at each access, an engine only at the start
    /// of its next time slice. If engines must not use old translations after this call, the caller
    /// holds the engines during the call.
    public void invalidateTranslations() {
        generation++;
    }

    /// Returns a number that changes whenever cached translations become stale.
    public long generation() {
        return generation;
    }
}
