package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Listener for accesses to addresses without memory.
@FunctionalInterface
public interface AbsenceListener {
    /// @param target memory of the address; null for a code without memory
    /// @param physicalAddress accessed address
    void onAbsent(MemoryTarget target, long physicalAddress);
}
