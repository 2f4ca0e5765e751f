package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.List;

/// Instructions that are executed one after another once the first one is: all but the last only
/// ever lead to the next.
///
/// @param start where the first one is, from the start of the code segment
/// @param instructions at least one
/// @param successors starts of the blocks where a thread may go on after the last one, in order of
///   address; all that there may be, unless it [#leaves]
/// @param leaves whether a thread may go on where nobody knows: at a computed address, or where
///   there is no code
public record BasicBlock(
        int start, List<Instruction> instructions, List<Integer> successors, boolean leaves) {
    public BasicBlock {
        instructions = List.copyOf(instructions);
        successors = List.copyOf(successors);
    }

    /// The one that may lead elsewhere.
    public Instruction last() {
        return instructions.getLast();
    }

    /// Where the next block in memory would start.
    public int end() {
        return last().next;
    }
}
