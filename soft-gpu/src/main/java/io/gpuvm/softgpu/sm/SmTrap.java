package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.mmu.FaultReason;

/// Error that prevents a block from continuing.
public sealed interface SmTrap {
    /// Returns the position of the instruction, and of the first thread that failed.
    Position position();

    /// Access that the page tables refused.
    ///
    /// @param reason reason for the refusal
    /// @param gpuVa address of the access
    /// @param isWrite whether the access is a write
    record MemoryFault(FaultReason reason, long gpuVa, boolean isWrite, Position position)
            implements SmTrap {
        @Override
        public String toString() {
            return "%s address=%#x: %s (%s)"
                    .formatted(isWrite ? "write to" : "read from", gpuVa, reason, position);
        }
    }

    /// Invalid or failed instruction.
    record InstructionError(WarpError error, Position position) implements SmTrap {
        @Override
        public String toString() {
            return "%s (%s)".formatted(error, position);
        }
    }
}
