package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// Finds the rows of second and third operands. Registers have rows; constants and immediate
/// operands are first copied to every lane of a row.
final class Operands {
    private final ConstantCache constants;

    Operands(ConstantCache constants) {
        this.constants = constants;
    }

    /// Returns the row of the second operand.
    int second(Warp warp, Instruction i) {
        return switch (i.kindB) {
            case CONSTANT -> put(warp, Rows.SECOND, constant(i, i.bankOffset));
            case IMMEDIATE -> put(warp, Rows.SECOND, i.immediate);
            default -> i.b;
        };
    }

    /// Returns the row of the third operand.
    int third(Warp warp, Instruction i) {
        return switch (i.kindC) {
            case CONSTANT -> put(warp, Rows.THIRD, constant(i, i.bankOffset));
            default -> i.c;
        };
    }

    /// Returns the row of the lower word of a two-word second operand; [Rows#upper] gives the row
    /// of the upper word.
    int secondWide(Warp warp, Instruction i) {
        return switch (i.kindB) {
            case CONSTANT -> putWide(warp, i, Rows.SECOND);
            case IMMEDIATE -> {
                put(warp, Rows.SECOND + Rows.STRIDE, i.immediate);
                yield put(warp, Rows.SECOND, 0);
            }
            default -> i.b;
        };
    }

    /// Returns the row as [#secondWide(Warp, Instruction)] does, for integers: an immediate operand
    /// is sign-extended.
    int secondLong(Warp warp, Instruction i) {
        if (i.kindB != OperandKind.IMMEDIATE) {
            return secondWide(warp, i);
        }
        put(warp, Rows.SECOND + Rows.STRIDE, i.immediate >> Integer.SIZE - 1);
        return put(warp, Rows.SECOND, i.immediate);
    }

    /// Returns the row of the lower word of a two-word third operand.
    int thirdWide(Warp warp, Instruction i) {
        return switch (i.kindC) {
            case CONSTANT -> putWide(warp, i, Rows.THIRD);
            default -> i.c;
        };
    }

    /// Stores a two-word constant, whose offset is a multiple of 8 bytes. In code from NVIDIA's
    /// compiler, the instruction names the upper word; in code from Mesa's, the lower word.
    private int putWide(Warp warp, Instruction i, int row) {
        int offset = i.bankOffset & -Long.BYTES;
        put(warp, row + Rows.STRIDE, constant(i, offset + Integer.BYTES));
        return put(warp, row, constant(i, offset));
    }

    private int constant(Instruction i, int offset) {
        return constants.word(i.bank, offset, WarpError.INVALID_CONST_ADDR);
    }

    private static int put(Warp warp, int row, int value) {
        Arrays.fill(warp.registers, row, row + Rows.LANES, value);
        return row;
    }
}
