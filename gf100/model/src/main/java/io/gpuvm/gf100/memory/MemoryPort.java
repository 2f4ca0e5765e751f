package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory that a unit accesses by physical address.
public interface MemoryPort {
    /// Reads 1, 2, 4 or 8 bytes at an aligned address; all ones if the address has no memory.
    long read(MemoryTarget target, long physicalAddress, int width);

    /// Writes 1, 2, 4 or 8 bytes at an aligned address; the write is dropped if the address has no
    /// memory.
    void write(MemoryTarget target, long physicalAddress, int width, long value);
}
