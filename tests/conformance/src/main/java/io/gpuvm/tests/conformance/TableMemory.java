package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory for page tables.
interface TableMemory {
    /// Kind of the memory.
    MemoryTarget target();

    /// Allocates a range.
    ///
    /// @return its physical address
    long allocate(long bytes);

    /// Writes an entry.
    void write(long physicalAddress, long entry);
}
