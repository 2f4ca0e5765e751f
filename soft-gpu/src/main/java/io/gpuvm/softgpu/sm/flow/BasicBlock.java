package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.List;

/// Instructions that are executed in sequence after the first: each instruction except the last is
/// followed only by the next.
///
/// @param start offset of the first instruction from the start of the code segment, in bytes
/// @param instructions instructions in order, at least one
/// @param successors starts of the blocks at which a thread may continue after the last
///   instruction, in order of address; complete unless the block [#leaves]
/// @param leaves whether a thread may continue at an unknown address: a computed address, or an
///   address outside the known code
public record BasicBlock(
        int start, List<Instruction> instructions, List<Integer> successors, boolean leaves) {
    public BasicBlock {
        instructions = List.copyOf(instructions);
        successors = List.copyOf(successors);
    }

    /// Returns the last instruction; no other instruction may branch.
    public Instruction last() {
        return instructions.getLast();
    }

    /// Returns the offset at which the next block in memory would start.
    public int end() {
        return last().next;
    }
}
