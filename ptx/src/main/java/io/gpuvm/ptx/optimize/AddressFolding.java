package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Moves constant parts of addresses to the offsets of loads, stores and atomic operations.
final class AddressFolding extends InsertingPass {
    private static final int NEAR_BITS = 24;
    private static final int ATOMIC_BITS = 20;
    private static final int CONSTANT_BITS = 16;

    /// Sum of an operand and a number.
    private record Sum(IrOperand base, int number) {}

    private AddressFolding(Function function) {
        super(function);
    }

    static void apply(Function function) {
        new AddressFolding(function).run();
    }

    @Override
    void fold(IrInstruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU, ST, RED -> foldFar(instruction, Integer.SIZE);
            case ATOM -> foldFar(instruction, ATOMIC_BITS);
            case LDS, STS, LDL, STL, LDSLK, STSUL -> foldNear(instruction);
            case LDC -> foldConstant(instruction);
            default -> {}
        }
    }

    private static boolean fits(long offset, int bits) {
        return offset << Long.SIZE - bits >> Long.SIZE - bits == offset;
    }

    /// Returns the sum that a word is, or null.
    private static Sum sum(IrOperand operand) {
        if (!(operand instanceof Value value) || value.isFixed()) {
            return null;
        }
        IrInstruction by = value.definition();
        if (!by.is(Opcode.IADD)
                || by.modifiers() != Modifiers.NONE && by.modifiers().count() > 0
                || by.find(Slot.CARRY) != null
                || by.find(Slot.GUARD) != null) {
            return null;
        }
        IrOperand a = by.operand(Slot.A);
        IrOperand b = by.operand(Slot.B);
        if (b instanceof IrOperand.Literal(int number)) {
            return new Sum(a, number);
        }
        return a instanceof IrOperand.Literal(int number) ? new Sum(b, number) : null;
    }

    private void foldNear(IrInstruction instruction) {
        for (Sum sum = sum(instruction.operand(Slot.A));
                sum != null && sum.base instanceof Value;
                sum = sum(instruction.operand(Slot.A))) {
            Modifiers modifiers = instruction.modifiers();
            long offset = (long) modifiers.get(Field.OFFSET) + sum.number;
            if (!fits(offset, NEAR_BITS)) {
                return;
            }
            instruction.modifiers(modifiers.with(Field.OFFSET, (int) offset));
            instruction.replace(Slot.A, sum.base);
        }
    }

    private static void foldConstant(IrInstruction instruction) {
        Sum sum = sum(instruction.operand(Slot.A));
        if (sum == null
                || !(sum.base instanceof Value)
                || !(instruction.operand(Slot.B) instanceof IrOperand.Constant constant)) {
            return;
        }
        long offset = (long) constant.offset() + sum.number;
        if (offset >= 0 && fits(offset, CONSTANT_BITS)) {
            instruction.replace(Slot.A, sum.base);
            instruction.replace(Slot.B, new IrOperand.Constant(constant.bank(), (int) offset));
        }
    }

    private void foldFar(IrInstruction instruction, int bits) {
        if (!instruction.modifiers().is(Field.EXTENDED)) {
            return;
        }
        while (instruction.operand(Slot.A) instanceof Value pair
                && pair.definition().is(Pseudo.COMBINE)) {
            IrInstruction combine = pair.definition();
            IrOperand high = combine.uses().getLast().operand();
            Sum low = sum(combine.uses().getFirst().operand());
            if (low == null || !(high instanceof Value upper)) {
                return;
            }
            IrOperand highBase = carriedBase(upper, low);
            Modifiers modifiers = instruction.modifiers();
            long offset = (long) modifiers.get(Field.OFFSET) + low.number;
            if (highBase == null || !fits(offset, bits)) {
                return;
            }
            instruction.modifiers(modifiers.with(Field.OFFSET, (int) offset));
            instruction.replace(Slot.A, combine(low.base, highBase));
        }
    }

    /// Returns the upper word to which the carry of a lower sum and the sign of its number are
    /// added, or null.
    private static IrOperand carriedBase(Value upper, Sum low) {
        IrInstruction by = upper.definition();
        if (!by.is(Opcode.IADD) || by.modifiers().count() > 0 || by.find(Slot.GUARD) != null) {
            return null;
        }
        if (!(by.operand(Slot.CARRY) instanceof Value carry)) {
            return null;
        }
        Sum lower = sum(carry.definition().results().getFirst());
        if (lower == null || !lower.equals(low)) {
            return null;
        }
        IrOperand sign = new IrOperand.Literal(low.number >> Integer.SIZE - 1);
        IrOperand a = by.operand(Slot.A);
        IrOperand b = by.operand(Slot.B);
        if (sign.equals(b)) {
            return a;
        }
        return sign.equals(a) ? b : null;
    }

    private Value combine(IrOperand low, IrOperand high) {
        IrInstruction combine = IrInstruction.of(Pseudo.COMBINE);
        combine.use(Slot.PART, part(low)).use(Slot.PART, part(high));
        Value pair = function.wide(2);
        insert(combine.define(pair));
        return pair;
    }

    private IrOperand part(IrOperand operand) {
        if (operand instanceof Value || operand instanceof IrOperand.Literal) {
            return operand;
        }
        Value value = function.word();
        insert(IrInstruction.of(Opcode.MOV, Modifiers.NONE).define(value).use(Slot.B, operand));
        return value;
    }
}
