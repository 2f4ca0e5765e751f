package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// The memory that a unit reaches by physical address.
public interface MemoryPort {
    /// Reads 1, 2, 4 or 8 bytes at an aligned address; all ones where no memory is.
    long read(MemoryTarget target, long physicalAddress, int width);

    /// Writes 1, 2, 4 or 8 bytes at an aligned address; dropped where no memory is.
    void write(MemoryTarget target, long physicalAddress, int width, long value);
}
