package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory that a unit accesses by physical address.
public interface MemoryPort {
    /// Reads 1, 2, 4 or 8 bytes at an aligned address; returns all ones without memory at the
    /// address.
    long read(MemoryTarget target, long physicalAddress, int width);

    /// Writes 1, 2, 4 or 8 bytes at an aligned address; dropped without memory at the address.
    void write(MemoryTarget target, long physicalAddress, int width, long value);
}
