package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Makes negations of predicates part of their uses, and logic operations on predicates part of a
/// comparison.
final class PredicateFolding {
    /// Number of uses of each value.
    private final int[] uses;

    private PredicateFolding(Function function) {
        uses = new int[function.values()];
    }

    static void apply(Function function) {
        PredicateFolding pass = new PredicateFolding(function);
        for (Block block : function.blocks()) {
            block.instructions().forEach(PredicateFolding::foldNegations);
            if (block.terminator() instanceof Terminator.Branch branch) {
                Use use = direct(new Use(Slot.P, branch.predicate(), branch.inverted()));
                block.terminator(
                        new Terminator.Branch(
                                use.value(), use.inverted(), branch.taken(), branch.other()));
            }
        }
        for (Block block : function.blocks()) {
            block.phis().forEach(pass::count);
            block.instructions().forEach(pass::count);
            pass.count(block.terminator().value());
        }
        for (Block block : function.blocks()) {
            pass.fuse(block);
        }
    }

    private void count(IrInstruction instruction) {
        instruction.uses().forEach(use -> count(use.value()));
    }

    private void count(Value value) {
        if (value != null && !value.isFixed()) {
            uses[value.id()]++;
        }
    }

    private static void foldNegations(IrInstruction instruction) {
        List<Use> all = instruction.uses();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).slot().isPredicate() && all.get(i).value() != null) {
                all.set(i, direct(all.get(i)));
            }
        }
    }

    /// Returns the use of the predicate that another predicate is a copy or the negation of.
    private static Use direct(Use use) {
        Use found = use;
        while (found.value() != null && !found.value().isFixed()) {
            IrInstruction by = found.value().definition();
            boolean isCopy =
                    by.is(Opcode.PSETP)
                            && by.modifiers().count() == 0
                            && by.uses().size() == 1
                            && by.find(Slot.PA) != null
                            && by.find(Slot.PA).value() != null;
            if (!isCopy) {
                return found;
            }
            Use source = by.find(Slot.PA);
            found = new Use(use.slot(), source.operand(), source.inverted() ^ found.inverted());
        }
        return found;
    }

    private void fuse(Block block) {
        List<IrInstruction> code = block.instructions();
        for (int i = 0; i < code.size(); i++) {
            IrInstruction fused = isLogic(code.get(i)) ? fused(code.get(i)) : null;
            if (fused != null) {
                block.replace(i, fused);
            }
        }
    }

    private static boolean isLogic(IrInstruction instruction) {
        return instruction.is(Opcode.PSETP)
                && instruction.uses().size() == 2
                && instruction.find(Slot.PA) != null
                && instruction.find(Slot.PB) != null
                && instruction.results().size() == 1
                && instruction.modifiers().get(Field.LOGIC) == 0;
    }

    /// Returns the comparison with the operation on its result, or null if neither operand is the
    /// result of a comparison without another use.
    private IrInstruction fused(IrInstruction logic) {
        Use a = logic.find(Slot.PA);
        Use b = logic.find(Slot.PB);
        IrInstruction fused = fused(logic, a, b);
        return fused == null ? fused(logic, b, a) : fused;
    }

    private IrInstruction fused(IrInstruction logic, Use compared, Use other) {
        Value value = compared.value();
        if (value == null || value.isFixed() || uses[value.id()] != 1) {
            return null;
        }
        IrInstruction by = value.definition();
        boolean suits =
                isComparison(by)
                        && by.results().size() == 1
                        && by.modifiers().get(Field.LOGIC) == 0
                        && by.find(Slot.P) == null
                        && by.find(Slot.CARRY) == null
                        && by.find(Slot.GUARD) == null;
        if (!suits) {
            return null;
        }
        Modifiers modifiers =
                by.modifiers().with(Field.LOGIC, logic.modifiers().get(Field.LOGIC_INNER));
        if (compared.inverted()) {
            Comparison inverse =
                    inverse(
                            Comparison.values()[modifiers.get(Field.COMPARISON)],
                            by.is(Opcode.ISETP));
            modifiers = modifiers.with(Field.COMPARISON, inverse);
        }
        IrInstruction fused = IrInstruction.of(by.opcode(), modifiers).line(logic.line());
        by.uses().forEach(use -> fused.uses().add(use));
        fused.use(Slot.P, other.operand(), other.inverted());
        uses[value.id()] = 0;
        return fused.define(logic.result());
    }

    private static boolean isComparison(IrInstruction instruction) {
        return instruction.is(Opcode.ISETP)
                || instruction.is(Opcode.FSETP)
                || instruction.is(Opcode.DSETP);
    }

    /// Returns the comparison that is true where another is false.
    private static Comparison inverse(Comparison comparison, boolean isInteger) {
        return switch (comparison) {
            case F -> Comparison.T;
            case LT -> isInteger ? Comparison.GE : Comparison.GEU;
            case EQ -> isInteger ? Comparison.NE : Comparison.NEU;
            case LE -> isInteger ? Comparison.GT : Comparison.GTU;
            case GT -> isInteger ? Comparison.LE : Comparison.LEU;
            case NE -> isInteger ? Comparison.EQ : Comparison.EQU;
            case GE -> isInteger ? Comparison.LT : Comparison.LTU;
            case NUM -> Comparison.NAN;
            case NAN -> Comparison.NUM;
            case LTU -> Comparison.GE;
            case EQU -> Comparison.NE;
            case LEU -> Comparison.GT;
            case GTU -> Comparison.LE;
            case NEU -> Comparison.EQ;
            case GEU -> Comparison.LT;
            case T -> Comparison.F;
        };
    }
}
