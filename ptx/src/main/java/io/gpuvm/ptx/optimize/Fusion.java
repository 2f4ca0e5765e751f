package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Replaces sums of products and of shifted words by single instructions.
final class Fusion {
    /// Number of uses of each value.
    private final int[] uses;

    private Fusion(Function function) {
        uses = new int[function.values()];
        for (Block block : function.blocks()) {
            block.phis().forEach(this::count);
            block.instructions().forEach(this::count);
        }
    }

    private void count(IrInstruction instruction) {
        for (Use use : instruction.uses()) {
            if (use.value() != null && !use.value().isFixed()) {
                uses[use.value().id()]++;
            }
        }
    }

    static void apply(Function function) {
        Fusion pass = new Fusion(function);
        for (Block block : function.blocks()) {
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.is(Opcode.IADD) && instruction.modifiers().count() == 0) {
                    pass.dropCarry(instruction);
                    pass.fuse(instruction);
                }
            }
        }
    }

    /// Removes the result of a carry that is not used.
    private void dropCarry(IrInstruction sum) {
        sum.results().removeIf(value -> value.kind() == Value.Kind.CARRY && uses[value.id()] == 0);
    }

    private void fuse(IrInstruction sum) {
        boolean carries = sum.result(Value.Kind.CARRY) != null || sum.find(Slot.CARRY) != null;
        for (Slot slot : List.of(Slot.A, Slot.B)) {
            if (!(sum.operand(slot) instanceof Value term) || term.isFixed()) {
                continue;
            }
            IrOperand other = sum.operand(slot == Slot.A ? Slot.B : Slot.A);
            IrInstruction by = term.definition();
            if (by.find(Slot.GUARD) != null
                    || by.results().size() > 1
                    || other instanceof IrOperand.Literal(int number) && number != 0
                    || by.block() != sum.block() && uses[term.id()] > 1) {
                continue;
            }
            if (by.is(Opcode.IMUL)) {
                boolean onlyUse = uses[term.id()] == 1 || carries;
                if (onlyUse) {
                    replace(sum, by.operand(Slot.A), by.operand(Slot.B), other, by.modifiers());
                    return;
                }
            } else if (by.is(Opcode.SHL)
                    && by.modifiers().count() == 0
                    && by.operand(Slot.B) instanceof IrOperand.Literal(int count)
                    && by.operand(Slot.A) instanceof Value factor) {
                if (carries) {
                    IrOperand power = new IrOperand.Literal(1 << count);
                    replace(sum, factor, power, other, Modifiers.NONE);
                    return;
                }
                if (sum.find(Slot.GUARD) == null) {
                    shiftAdd(sum, factor, other, count);
                    return;
                }
            } else if (carries && isUpperHalf(by)) {
                // The upper word of an extended number that is shifted left.
                int shift = Integer.SIZE - ((IrOperand.Literal) by.operand(Slot.B)).bits();
                int signed = by.modifiers().get(Field.SIGNED);
                Modifiers high =
                        Modifiers.of(Field.HIGH, 1)
                                .with(Field.SIGNED_A, signed)
                                .with(Field.SIGNED_B, signed);
                replace(sum, by.operand(Slot.A), new IrOperand.Literal(1 << shift), other, high);
                return;
            }
        }
    }

    /// Returns whether a shift right is the upper word of a product with a positive power of two.
    private static boolean isUpperHalf(IrInstruction by) {
        return by.is(Opcode.SHR)
                && by.modifiers()
                        .equals(Modifiers.of(Field.SIGNED, by.modifiers().get(Field.SIGNED)))
                && by.operand(Slot.A) instanceof Value
                && by.operand(Slot.B) instanceof IrOperand.Literal(int count)
                && count >= 2
                && count < Integer.SIZE;
    }

    private static void replace(
            IrInstruction sum, IrOperand a, IrOperand b, IrOperand c, Modifiers modifiers) {
        sum.opcode(Opcode.IMAD);
        sum.modifiers(modifiers);
        sum.uses().removeIf(use -> use.slot() == Slot.A || use.slot() == Slot.B);
        sum.use(Slot.A, a).use(Slot.B, b).use(Slot.C, c);
    }

    private static void shiftAdd(IrInstruction sum, IrOperand a, IrOperand b, int count) {
        sum.opcode(Opcode.ISCADD);
        sum.modifiers(Modifiers.of(Field.SHIFT, count));
        sum.uses().removeIf(use -> use.slot() == Slot.A || use.slot() == Slot.B);
        sum.use(Slot.A, a).use(Slot.B, b);
    }
}
