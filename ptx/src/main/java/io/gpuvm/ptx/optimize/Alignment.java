package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Numbers of zeros at the lower ends of words, as far as their computations show them.
final class Alignment {
    /// Number of instructions on a path of computations that are considered.
    private static final int MOST_STEPS = 12;

    /// Zeros in the address of a frame, which is a multiple of 16.
    private static final int FRAME_ZEROS = 4;

    private Alignment() {}

    /// Returns a number of zeros that a word has at least at its lower end, 0 to 32; of several
    /// words, the lowest.
    static int zeros(IrOperand operand) {
        return zeros(operand, MOST_STEPS);
    }

    private static int zeros(IrOperand operand, int steps) {
        return switch (operand) {
            case IrOperand.Literal(int bits) -> Integer.numberOfTrailingZeros(bits);
            case IrOperand.Constant _, IrOperand.Address _ -> 0;
            case Value value when value.isFixed() -> FRAME_ZEROS;
            case Value value -> steps == 0 ? 0 : zeros(value.definition(), steps - 1);
        };
    }

    private static int zeros(IrInstruction by, int steps) {
        if (by.find(Slot.GUARD) != null || by.find(Slot.CARRY) != null) {
            return 0;
        }
        if (by.pseudo() != null) {
            boolean isLowest = by.is(Pseudo.COMBINE) || by.is(Pseudo.COPY);
            return isLowest ? zeros(by.uses().getFirst().operand(), steps) : 0;
        }
        IrOperand a = by.operand(Slot.A);
        IrOperand b = by.operand(Slot.B);
        return switch (by.opcode()) {
            case MOV -> zeros(b, steps);
            case SHL ->
                    b instanceof IrOperand.Literal(int count) && !by.modifiers().is(Field.WRAP)
                            ? zeros(a, steps) + Math.clamp(count, 0, Integer.SIZE)
                            : 0;
            case IADD ->
                    by.modifiers().is(Field.SATURATE)
                            ? 0
                            : Math.min(zeros(a, steps), zeros(b, steps));
            case ISCADD ->
                    Math.min(zeros(a, steps) + by.modifiers().get(Field.SHIFT), zeros(b, steps));
            case IMUL -> by.modifiers().is(Field.HIGH) ? 0 : zeros(a, steps) + zeros(b, steps);
            case IMAD ->
                    by.modifiers().is(Field.HIGH) || by.modifiers().is(Field.SATURATE)
                            ? 0
                            : Math.min(
                                    zeros(a, steps) + zeros(b, steps),
                                    zeros(by.operand(Slot.C), steps));
            case LOP -> {
                boolean isAnd =
                        by.modifiers().get(Field.LOGIC_INNER) == LogicOp.AND.ordinal()
                                && !by.modifiers().is(Field.INVERT_A)
                                && !by.modifiers().is(Field.INVERT_B);
                yield isAnd ? Math.max(zeros(a, steps), zeros(b, steps)) : 0;
            }
            default -> 0;
        };
    }
}
