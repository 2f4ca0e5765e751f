package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// VRAM and host memory behind one face, addressed as the GPU does after translation.
public final class PhysicalMemory {
    private final Vram vram;
    private final DmaSpace dma;

    public PhysicalMemory(Vram vram, DmaSpace dma) {
        this.vram = vram;
        this.dma = dma;
    }

    /// Reads 1, 2, 4 or 8 bytes; all ones where no memory is.
    public long read(MemoryTarget target, long physicalAddress, int width) {
        return 0;
    }

    /// Writes 1, 2, 4 or 8 bytes; dropped where no memory is.
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {}

    /// The board's own memory.
    public Vram vram() {
        return vram;
    }

    /// Host memory.
    public DmaSpace dma() {
        return dma;
    }
}
