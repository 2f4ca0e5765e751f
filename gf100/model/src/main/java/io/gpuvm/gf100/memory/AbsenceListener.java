package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Receives accesses to addresses without memory.
@FunctionalInterface
public interface AbsenceListener {
    /// @param target null for a code that means no memory at all
    /// @param physicalAddress accessed address
    void onAbsent(MemoryTarget target, long physicalAddress);
}
