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

    /// Applies `PFFB.VM.CFG` (100c80) b0: big pages are 128 KiB at power-on, 64 KiB if it is set.
    /// Applies to subsequent walks.
    public void bigPagesOf64KiB(boolean chosen) {
        geometry = chosen ? TableGeometry.BIG_PAGES_64K : TableGeometry.BIG_PAGES_128K;
    }

    /// Returns the current shape of page tables.
    public TableGeometry geometry() {
        return geometry;
    }

    /// Makes every cached translation of every address space and aperture stale. Only on the
    /// register thread. An aperture checks at each access, an engine at the start of its next time
    /// slice: a caller that must exclude the use of old translations by engines holds the engines
    /// during this call.
    public void invalidateTranslations() {
        generation++;
    }

    /// Returns a number that changes whenever cached translations become stale.
    public long generation() {
        return generation;
    }
}
