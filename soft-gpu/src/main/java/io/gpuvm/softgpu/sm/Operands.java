package io.gpuvm.softgpu.sm;

import java.util.Arrays;

/// Finds the rows of second and third operands: those of registers as they are; a constant or a
/// number is put into every lane of a row first.
final class Operands {
    private final ConstantCache constants;

    Operands(ConstantCache constants) {
        this.constants = constants;
    }

    /// Row of the second operand.
    int second(Warp warp, Instruction i) {
        return switch (i.kindB) {
            case CONSTANT -> put(warp, Rows.SECOND, constant(i, 0));
            case IMMEDIATE -> put(warp, Rows.SECOND, i.immediate);
            default -> i.b;
        };
    }

    /// Row of the third operand.
    int third(Warp warp, Instruction i) {
        return switch (i.kindC) {
            case CONSTANT -> put(warp, Rows.THIRD, constant(i, 0));
            default -> i.c;
        };
    }

    /// Row of the lower word of the second operand, which is two; the other's is [Rows#upper].
    int secondWide(Warp warp, Instruction i) {
        return switch (i.kindB) {
            case CONSTANT -> putWide(warp, i, Rows.SECOND);
            case IMMEDIATE -> {
                put(warp, Rows.SECOND + Rows.LANES, i.immediate);
                yield put(warp, Rows.SECOND, 0);
            }
            default -> i.b;
        };
    }

    /// Row of the lower word of the third operand, which is two.
    int thirdWide(Warp warp, Instruction i) {
        return switch (i.kindC) {
            case CONSTANT -> putWide(warp, i, Rows.THIRD);
            default -> i.c;
        };
    }

    private int putWide(Warp warp, Instruction i, int row) {
        put(warp, row + Rows.LANES, constant(i, Integer.BYTES));
        return put(warp, row, constant(i, 0));
    }

    private int constant(Instruction i, int further) {
        return constants.word(i.bank, i.bankOffset + further, WarpError.INVALID_CONST_ADDR);
    }

    private static int put(Warp warp, int row, int value) {
        Arrays.fill(warp.registers, row, row + Rows.LANES, value);
        return row;
    }
}
