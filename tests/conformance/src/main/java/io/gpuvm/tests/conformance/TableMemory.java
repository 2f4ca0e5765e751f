package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory that page tables are made of.
interface TableMemory {
    /// Which kind it is.
    MemoryTarget target();

    /// Takes a piece, a multiple of 4 KiB.
    ///
    /// @return its physical address
    long allocate(long bytes);

    /// Writes an entry.
    void write(long physicalAddress, long entry);
}
