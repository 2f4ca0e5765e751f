package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Replaces short branches by instructions that all threads pass: accesses to memory with a guard,
/// and other instructions without effect on threads that do not need them.
///
/// A branch costs the push of its join, the branch and the wait, and executes both sides if threads
/// differ; instructions of a side that no thread of the warp takes cost one step each.
final class IfConversion {
    /// Maximum number of instructions of both sides, with selections of results.
    private static final int MOST = 7;

    /// Number of instructions that select a predicate.
    private static final int PREDICATE_COST = 2;

    private final Function function;
    private final int[] uses;
    private final Set<Block> removed = new HashSet<>();
    private final Substitution substitution;

    private IfConversion(Function function) {
        this.function = function;
        substitution = new Substitution(function);
        uses = new int[function.values()];
        for (Block block : function.blocks()) {
            block.phis().forEach(this::count);
            block.instructions().forEach(this::count);
            count(block.terminator().value());
        }
    }

    static void apply(Function function) {
        new IfConversion(function).apply();
    }

    private void count(IrInstruction instruction) {
        instruction.uses().forEach(use -> count(use.value()));
    }

    private void count(Value value) {
        if (value != null) {
            addUses(value, 1);
        }
    }

    private void addUses(Value value, int more) {
        if (!value.isFixed() && value.id() < uses.length) {
            uses[value.id()] += more;
        }
    }

    /// Returns the number of uses of a value; for a value of this pass, more than one.
    private int usesOf(Value value) {
        return value.id() < uses.length ? uses[value.id()] : 2;
    }

    private static IrInstruction move(Value result, IrOperand operand) {
        return result.isPredicate()
                ? IrInstruction.of(Opcode.PSETP, Modifiers.NONE)
                        .define(result)
                        .use(Slot.PA, operand)
                : IrInstruction.of(Opcode.MOV, Modifiers.NONE).define(result).use(Slot.B, operand);
    }

    private void apply() {
        // Inner conditions follow outer ones.
        for (Block block : function.blocks().reversed()) {
            while (!removed.contains(block) && (convert(block) || mergeNext(block))) {
                // Converts the next condition.
            }
            // The instructions of a chain of blocks are moved once for each block.
            function.checkpoint();
        }
        if (!removed.isEmpty()) {
            function.order(
                    function.blocks().stream().filter(block -> !removed.contains(block)).toList());
            substitution.apply();
        }
    }

    /// Appends the next block to a block if no other block leads there.
    private boolean mergeNext(Block block) {
        if (!(block.terminator() instanceof Terminator.Jump(Block next))
                || next == block
                || next.predecessors().size() > 1) {
            return false;
        }
        for (IrInstruction phi : next.phis()) {
            switch (phi.uses().getFirst().operand()) {
                case Value value -> {
                    substitution.replace(phi.result(), value);
                    addUses(substitution.of(value), usesOf(phi.result()) - 1);
                }
                case IrOperand other -> block.add(move(phi.result(), other));
            }
        }
        next.instructions().forEach(block::add);
        block.terminator(next.terminator());
        for (Block to : next.successors()) {
            to.predecessors().set(to.predecessors().indexOf(next), block);
        }
        removed.add(next);
        return true;
    }

    private boolean convert(Block block) {
        if (!(block.terminator() instanceof Terminator.Branch branch)) {
            return false;
        }
        Block one = branch.taken();
        Block other = branch.other();
        if (one == other || !isSide(one) || !isSide(other)) {
            return false;
        }
        Block join = one.successors().getFirst();
        if (join != other.successors().getFirst()
                || join == block
                || join == one
                || join == other) {
            return false;
        }
        if (cost(one, other, join) > MOST) {
            return false;
        }
        Use guard = new Use(Slot.GUARD, branch.predicate(), branch.inverted());
        Use opposite = new Use(Slot.GUARD, branch.predicate(), !branch.inverted());
        append(block, one, guard);
        append(block, other, opposite);
        mergePhis(block, one, other, join, guard);
        block.terminator(new Terminator.Jump(join));
        removed.add(one);
        removed.add(other);
        return true;
    }

    private static boolean isSide(Block block) {
        return block.predecessors().size() == 1
                && block.phis().isEmpty()
                && block.terminator() instanceof Terminator.Jump
                && block.instructions().size() <= 2 * MOST
                && block.instructions().stream().allMatch(IfConversion::suits);
    }

    private static boolean suits(IrInstruction instruction) {
        return instruction.callee() == null
                && instruction.results().stream().noneMatch(Value::isFixed)
                && (needsGuard(instruction) || Effects.isPure(instruction));
    }

    /// Returns whether an instruction must not be executed by threads that do not take its side.
    private static boolean needsGuard(IrInstruction instruction) {
        return instruction.pseudo() == null
                && switch (instruction.opcode()) {
                    case LD, LDU, LDL, LDS, LDC, TLD, ST, STL, STS, ATOM, RED -> true;
                    default -> false;
                };
    }

    private int cost(Block one, Block other, Block join) {
        int cost = size(one) + size(other);
        int first = join.predecessors().indexOf(one);
        int second = join.predecessors().indexOf(other);
        for (IrInstruction phi : join.phis()) {
            IrOperand a = substitution.of(phi.uses().get(first).operand());
            IrOperand b = substitution.of(phi.uses().get(second).operand());
            if (phi.result().words() > 1) {
                return Integer.MAX_VALUE;
            }
            if (a.equals(b)) {
                continue;
            }
            if (phi.result().isPredicate()) {
                cost += PREDICATE_COST;
            } else if (!isGuardable(a, one) && !isGuardable(b, other)) {
                cost++;
            }
        }
        return cost;
    }

    private static int size(Block block) {
        int size = 0;
        for (IrInstruction instruction : block.instructions()) {
            size += instruction.pseudo() == null ? 1 : 0;
        }
        return size;
    }

    private void append(Block block, Block side, Use guard) {
        for (IrInstruction instruction : side.instructions()) {
            if (needsGuard(instruction)) {
                guard(block, instruction, guard);
            }
            block.add(instruction);
        }
    }

    /// Adds a guard to an instruction, in conjunction with the guard that it has.
    private void guard(Block block, IrInstruction instruction, Use guard) {
        Use known = instruction.find(Slot.GUARD);
        if (known == null) {
            instruction.use(Slot.GUARD, guard.operand(), guard.inverted());
            return;
        }
        Value both = function.predicate();
        block.add(
                IrInstruction.of(Opcode.PSETP, Modifiers.NONE)
                        .line(instruction.line())
                        .define(both)
                        .use(Slot.PA, guard.operand(), guard.inverted())
                        .use(Slot.PB, known.operand(), known.inverted()));
        instruction.uses().remove(known);
        instruction.use(Slot.GUARD, both);
    }

    private void mergePhis(Block block, Block one, Block other, Block join, Use guard) {
        int first = join.predecessors().indexOf(one);
        int second = join.predecessors().indexOf(other);
        for (IrInstruction phi : join.phis()) {
            List<Use> operands = phi.uses();
            IrOperand a = substitution.of(operands.get(first).operand());
            IrOperand b = substitution.of(operands.get(second).operand());
            IrOperand merged = a.equals(b) ? a : merge(block, phi, a, b, one, other, guard);
            operands.set(first, operands.get(first).with(merged));
            operands.remove(second);
        }
        join.predecessors().set(first, block);
        join.predecessors().remove(second);
    }

    private IrOperand merge(
            Block block,
            IrInstruction phi,
            IrOperand a,
            IrOperand b,
            Block one,
            Block other,
            Use guard) {
        if (phi.result().isPredicate()) {
            return mergePredicates(block, a, b, guard);
        }
        // The second side's instructions follow those of the first: a value that a guarded
        // instruction retains must precede it.
        if (b instanceof Value kept && !isIn(other, kept) && isGuardable(a, one)) {
            return retain(((Value) a).definition(), kept, guard, false);
        }
        if (a instanceof Value kept && isGuardable(b, other)) {
            return retain(((Value) b).definition(), kept, guard, true);
        }
        Value selected = function.word();
        boolean swaps = !(a instanceof Value) && b instanceof Value;
        block.add(
                IrInstruction.of(Opcode.SEL, Modifiers.NONE)
                        .define(selected)
                        .use(Slot.A, swaps ? b : a)
                        .use(Slot.B, swaps ? a : b)
                        .use(Slot.P, guard.operand(), guard.inverted() ^ swaps));
        return selected;
    }

    private static boolean isIn(Block side, Value value) {
        return !value.isFixed() && side.instructions().contains(value.definition());
    }

    /// Returns whether the instruction that computes an operand on a side can leave another value
    /// in its register for threads that do not take the side.
    private boolean isGuardable(IrOperand operand, Block side) {
        if (!(operand instanceof Value value) || !isIn(side, value) || usesOf(value) != 1) {
            return false;
        }
        IrInstruction by = value.definition();
        return by.pseudo() == null
                && by.results().size() == 1
                && value.words() == 1
                && by.find(Slot.KEPT) == null
                && (by.find(Slot.GUARD) == null || needsGuard(by));
    }

    /// Makes an instruction of a side leave a value in its register for other threads.
    private static Value retain(IrInstruction by, Value kept, Use guard, boolean opposite) {
        if (by.find(Slot.GUARD) == null) {
            by.use(Slot.GUARD, guard.operand(), guard.inverted() ^ opposite);
        }
        return by.use(Slot.KEPT, kept).result();
    }

    /// Returns a predicate: `(guard and a) or (not guard and b)`.
    private Value mergePredicates(Block block, IrOperand a, IrOperand b, Use guard) {
        Value first = function.predicate();
        block.add(
                IrInstruction.of(Opcode.PSETP, Modifiers.NONE)
                        .define(first)
                        .use(Slot.PA, guard.operand(), guard.inverted())
                        .use(Slot.PB, a));
        Value merged = function.predicate();
        block.add(
                IrInstruction.of(Opcode.PSETP, Modifiers.NONE.with(Field.LOGIC, LogicOp.OR))
                        .define(merged)
                        .use(Slot.PA, guard.operand(), !guard.inverted())
                        .use(Slot.PB, b)
                        .use(Slot.P, first));
        return merged;
    }
}
