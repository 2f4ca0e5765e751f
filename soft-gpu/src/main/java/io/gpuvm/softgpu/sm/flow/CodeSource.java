package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Source of a kernel's instructions.
@FunctionalInterface
public interface CodeSource {
    /// Returns the instruction at an offset in the code segment; null if the page tables refuse the
    /// access.
    Instruction at(int pc);
}
