package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.mmu.FaultReason;

/// Why a block could not go on.
public sealed interface SmTrap {
    /// The instruction, and the first thread that it went wrong for.
    Position position();

    /// The page tables refused an access.
    ///
    /// @param reason why
    /// @param gpuVa address of the access
    /// @param isWrite its direction
    record MemoryFault(FaultReason reason, long gpuVa, boolean isWrite, Position position)
            implements SmTrap {
        @Override
        public String toString() {
            return "%s of %#x: %s (%s)"
                    .formatted(isWrite ? "write" : "read", gpuVa, reason, position);
        }
    }

    /// The instruction was wrong, or went wrong.
    record InstructionError(WarpError error, Position position) implements SmTrap {
        @Override
        public String toString() {
            return "%s (%s)".formatted(error, position);
        }
    }
}
