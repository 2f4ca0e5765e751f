package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Where instructions are read from.
@FunctionalInterface
public interface CodeSource {
    /// The instruction at an offset in the code segment; null if the page tables refuse it.
    Instruction at(int pc);
}
