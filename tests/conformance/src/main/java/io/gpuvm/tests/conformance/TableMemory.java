package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory for page tables.
interface TableMemory {
    /// Returns the kind of the memory.
    MemoryTarget target();

    /// Allocates a range.
    ///
    /// @return physical address of the range
    long allocate(long bytes);

    /// Writes an entry.
    void write(long physicalAddress, long entry);
}
