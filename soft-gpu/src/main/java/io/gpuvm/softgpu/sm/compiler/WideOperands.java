package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.softgpu.sm.code.Instruction;

/// Instructions with two-word constants.
final class WideOperands {
    private WideOperands() {}

    static boolean has(Instruction i) {
        return switch (i.opcode) {
            case DADD, DMUL, DFMA, DMNMX, DSET, DSETP -> true;
            case F2F, F2I, I2F, I2I -> NumberType.of(i.mode2).bytes() == Long.BYTES;
            default -> false;
        };
    }

    /// Returns the offset of the lower word: a pair of words is located at a multiple of 8 bytes,
    /// and the instruction may name either word.
    static int lower(Instruction i) {
        return i.bankOffset & -Long.BYTES;
    }
}
