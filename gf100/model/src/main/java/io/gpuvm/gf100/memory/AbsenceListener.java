package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Told of accesses to where no memory is.
@FunctionalInterface
public interface AbsenceListener {
    /// @param target null for a code that means no memory at all
    /// @param physicalAddress where something was looked for
    void onAbsent(MemoryTarget target, long physicalAddress);
}
