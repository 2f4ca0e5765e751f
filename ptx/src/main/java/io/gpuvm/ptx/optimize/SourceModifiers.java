package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Makes negations and absolute values of floats and doubles, which are operations on the sign bit,
/// modifiers of the instructions that use them.
final class SourceModifiers extends InsertingPass {
    private static final int SIGN = 1 << Integer.SIZE - 1;

    /// Operand whose sign an operation changes.
    ///
    /// @param negates whether the sign is inverted; otherwise, it is cleared
    private record Signed(IrOperand operand, boolean negates) {}

    private SourceModifiers(Function function) {
        super(function);
    }

    static void apply(Function function) {
        new SourceModifiers(function).run();
    }

    @Override
    void fold(IrInstruction instruction) {
        switch (instruction.opcode()) {
            case FADD, FMNMX, FSETP -> {
                foldTerm(instruction, Slot.A, Field.NEGATE_A, Field.ABSOLUTE_A, false);
                foldTerm(instruction, Slot.B, Field.NEGATE_B, Field.ABSOLUTE_B, false);
            }
            case DADD, DMNMX, DSETP -> {
                foldTerm(instruction, Slot.A, Field.NEGATE_A, Field.ABSOLUTE_A, true);
                foldTerm(instruction, Slot.B, Field.NEGATE_B, Field.ABSOLUTE_B, true);
            }
            case MUFU -> foldTerm(instruction, Slot.A, Field.NEGATE_A, Field.ABSOLUTE_A, false);
            case FMUL, FFMA -> foldProduct(instruction, false);
            case DMUL, DFMA -> foldProduct(instruction, true);
            default -> {}
        }
    }

    private void foldTerm(
            IrInstruction instruction, Slot slot, Field negate, Field absolute, boolean isDouble) {
        Signed signed = signed(instruction.operand(slot), isDouble);
        if (signed == null) {
            return;
        }
        Modifiers modifiers = instruction.modifiers();
        if (!signed.negates) {
            modifiers = modifiers.with(absolute, 1);
        } else if (!modifiers.is(absolute)) {
            modifiers = modifiers.with(negate, !modifiers.is(negate));
        }
        instruction.modifiers(modifiers);
        instruction.replace(slot, signed.operand);
    }

    private void foldProduct(IrInstruction instruction, boolean isDouble) {
        for (Slot slot : List.of(Slot.A, Slot.B)) {
            Signed signed = signed(instruction.operand(slot), isDouble);
            if (signed == null || !signed.negates) {
                continue;
            }
            Slot other = slot == Slot.A ? Slot.B : Slot.A;
            instruction.replace(slot, signed.operand);
            if (instruction.operand(other) instanceof IrOperand.Literal(int bits)) {
                instruction.replace(other, new IrOperand.Literal(bits ^ SIGN));
            } else {
                flip(instruction, Field.NEGATE_PRODUCT);
            }
        }
        Signed third = signed(instruction.operand(Slot.C), isDouble);
        if (third != null && third.negates) {
            instruction.replace(Slot.C, third.operand);
            flip(instruction, Field.NEGATE_C);
        }
    }

    private static void flip(IrInstruction instruction, Field flag) {
        Modifiers modifiers = instruction.modifiers();
        instruction.modifiers(modifiers.with(flag, !modifiers.is(flag)));
    }

    /// Returns the operand whose sign was changed to give another, or null.
    private Signed signed(IrOperand operand, boolean isDouble) {
        if (!(operand instanceof Value value) || value.isFixed()) {
            return null;
        }
        if (!isDouble) {
            return signedWord(value);
        }
        IrInstruction by = value.definition();
        if (!by.is(Pseudo.COMBINE) || !(by.uses().getLast().operand() instanceof Value high)) {
            return null;
        }
        Signed upper = high.isFixed() ? null : signedWord(high);
        return upper == null
                ? null
                : new Signed(combine(by.uses().getFirst().operand(), upper.operand), upper.negates);
    }

    private static Signed signedWord(Value value) {
        IrInstruction by = value.definition();
        if (!by.is(Opcode.LOP)
                || by.modifiers().count() > 1
                || by.find(Slot.GUARD) != null
                || !(by.operand(Slot.A) instanceof Value source)
                || !(by.operand(Slot.B) instanceof IrOperand.Literal(int bits))) {
            return null;
        }
        int logic = by.modifiers().get(Field.LOGIC_INNER);
        if (by.modifiers().count() == 1 && logic == 0) {
            return null;
        }
        if (logic == LogicOp.XOR.ordinal() && bits == SIGN) {
            return new Signed(source, true);
        }
        return logic == LogicOp.AND.ordinal() && bits == ~SIGN ? new Signed(source, false) : null;
    }

    /// Returns the double with two words: the one that they were taken from, or a new combination.
    private Value combine(IrOperand low, IrOperand high) {
        Value whole = whole(low, 0);
        if (whole != null && whole.words() == 2 && whole == whole(high, 1)) {
            return whole;
        }
        Value pair = function.wide(2);
        insert(
                IrInstruction.of(Pseudo.COMBINE)
                        .define(pair)
                        .use(Slot.PART, low)
                        .use(Slot.PART, high));
        return pair;
    }

    private static Value whole(IrOperand part, int index) {
        if (!(part instanceof Value value) || value.isFixed()) {
            return null;
        }
        IrInstruction by = value.definition();
        boolean isPart = by.is(Pseudo.EXTRACT) && by.index() == index;
        return isPart ? by.uses().getFirst().value() : null;
    }
}
