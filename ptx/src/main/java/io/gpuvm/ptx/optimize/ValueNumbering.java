package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Replaces computations by equal ones in dominating blocks.
///
/// The carry of an equal sum is equal, but is not used in place of the later sum's carry: other
/// sums between them may overwrite it. It makes the sums that use it equal, though.
final class ValueNumbering {
    private final Function function;

    /// Value that replaces another, or that a carry is equal to, by number; null for none.
    private final Value[] equals;

    private final AvailableExpressions known;

    private ValueNumbering(Function function) {
        this.function = function;
        equals = new Value[function.values()];
        known = new AvailableExpressions(equals);
    }

    static void apply(Function function) {
        ValueNumbering pass = new ValueNumbering(function);
        pass.walk();
        pass.replacePhiOperands();
    }

    private void walk() {
        Dominators dominators = Dominators.of(Graph.of(function));
        List<Block> blocks = function.blocks();
        int[] marks = new int[blocks.size()];
        boolean[] entered = new boolean[blocks.size()];
        List<Integer> stack = new ArrayList<>();
        stack.add(0);
        while (!stack.isEmpty()) {
            int index = stack.getLast();
            if (entered[index]) {
                known.reset(marks[index]);
                stack.removeLast();
                continue;
            }
            entered[index] = true;
            marks[index] = known.count();
            number(blocks.get(index));
            for (int child : dominators.children(index)) {
                stack.add(child);
            }
        }
    }

    private void number(Block block) {
        block.phis().removeIf(this::isTrivial);
        block.instructions().removeIf(this::replace);
        Value last = block.terminator().value();
        if (last != null && replacement(last) != last) {
            block.terminator(block.terminator().withValue((Value) replacement(last)));
        }
    }

    /// Replaces the operands of an instruction; returns whether its results are replaced, too.
    private boolean replace(IrInstruction instruction) {
        replaceOperands(instruction);
        return Effects.isPure(instruction) && isRepeated(instruction);
    }

    /// Returns whether all operands of a phi are equal; then, they replace it.
    private boolean isTrivial(IrInstruction phi) {
        IrOperand only = null;
        for (Use use : phi.uses()) {
            IrOperand operand = replacement(use.operand());
            if (operand == phi.result()) {
                continue;
            }
            if (!(operand instanceof Value) || only != null && only != operand) {
                return false;
            }
            only = operand;
        }
        if (only == null) {
            return false;
        }
        equals[phi.result().id()] = (Value) only;
        return true;
    }

    private IrOperand replacement(IrOperand operand) {
        if (!(operand instanceof Value value) || value.isFixed()) {
            return operand;
        }
        Value found = value;
        while (found.kind() != Value.Kind.CARRY && equals[found.id()] != null) {
            found = equals[found.id()];
        }
        return found;
    }

    private void replaceOperands(IrInstruction instruction) {
        List<Use> uses = instruction.uses();
        for (int i = 0; i < uses.size(); i++) {
            IrOperand operand = replacement(uses.get(i).operand());
            if (operand != uses.get(i).operand()) {
                uses.set(i, uses.get(i).with(operand));
            }
        }
    }

    /// Returns whether an equal instruction is known that makes this one unnecessary.
    private boolean isRepeated(IrInstruction instruction) {
        IrInstruction other = known.findOrAdd(instruction);
        if (other == null || other.results().size() != instruction.results().size()) {
            return false;
        }
        boolean hasCarry = false;
        for (int i = 0; i < other.results().size(); i++) {
            Value result = instruction.results().get(i);
            Value equal = other.results().get(i);
            hasCarry |= result.kind() == Value.Kind.CARRY;
            boolean isKnownCarry = equal.kind() == Value.Kind.CARRY && equals[equal.id()] != null;
            equals[result.id()] = isKnownCarry ? equals[equal.id()] : equal;
        }
        return !hasCarry;
    }

    private void replacePhiOperands() {
        for (Block block : function.blocks()) {
            block.phis().forEach(this::replaceOperands);
        }
    }
}
