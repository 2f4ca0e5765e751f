package io.gpuvm.softgpu.mmu;

import io.gpuvm.softgpu.memory.PhysicalMemory;

/// What all address spaces of one GPU share: physical memory and the size of big pages.
public final class Mmu {
    private final PhysicalMemory memory;
    private volatile boolean bigPagesOf64KiB;

    public Mmu(PhysicalMemory memory) {
        this.memory = memory;
    }

    public PhysicalMemory memory() {
        return memory;
    }

    /// Follows `PFB.CFG` (100c80) b0: big pages are 128 KiB at power-on, 64 KiB when the bit is
    /// set. Takes effect for walks from now on.
    public void bigPagesOf64KiB(boolean chosen) {
        bigPagesOf64KiB = chosen;
    }

    boolean bigPagesOf64KiB() {
        return bigPagesOf64KiB;
    }
}
