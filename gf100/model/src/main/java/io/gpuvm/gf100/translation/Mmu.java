package io.gpuvm.gf100.translation;

import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.TableGeometry;

/// What all address spaces of one GPU share: physical memory, the size of big pages, and the moment
/// from which cached translations are stale.
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

    /// Follows `PFB.CFG` (100c80) b0: big pages are 128 KiB at power-on, 64 KiB when the bit is
    /// set. Takes effect for walks from now on.
    public void bigPagesOf64KiB(boolean chosen) {
        geometry = chosen ? TableGeometry.BIG_PAGES_64K : TableGeometry.BIG_PAGES_128K;
    }

    /// The shape of page tables now.
    public TableGeometry geometry() {
        return geometry;
    }

    /// Makes every cached translation of every address space and aperture stale. Only on the
    /// register thread. An aperture looks at each access, an engine when its next slice begins: who
    /// must be sure that no engine uses an old translation calls this with the engines held.
    public void invalidateTranslations() {
        generation++;
    }

    /// Changes whenever cached translations become stale.
    public long generation() {
        return generation;
    }
}
