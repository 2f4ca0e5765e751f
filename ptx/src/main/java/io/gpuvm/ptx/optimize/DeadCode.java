package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Removes instructions whose results are not used.
///
/// Visits the instructions from the last to the first, so that most values are known to be used
/// when their definition is visited: functions are larger than the processor's caches, and
/// definitions in the order of their uses are all over the memory. Only operands of phis may be
/// defined later.
final class DeadCode {
    private final Function function;
    private final boolean[] used;

    /// Values whose definition has been visited, by number.
    private final boolean[] visited;

    /// Definitions that were visited before the first use.
    private final List<IrInstruction> late = new ArrayList<>();

    private DeadCode(Function function) {
        this.function = function;
        used = new boolean[function.values()];
        visited = new boolean[function.values()];
    }

    static void remove(Function function) {
        DeadCode pass = new DeadCode(function);
        pass.mark();
        pass.sweep();
    }

    private void mark() {
        for (Block block : function.blocks().reversed()) {
            use(block.terminator().value());
            List<IrInstruction> instructions = block.instructions();
            for (int i = instructions.size() - 1; i >= 0; i--) {
                visit(instructions.get(i));
            }
            block.phis().forEach(this::visit);
        }
        while (!late.isEmpty()) {
            useOperands(late.removeLast());
        }
    }

    private void visit(IrInstruction instruction) {
        boolean isUsed = false;
        for (Value result : instruction.results()) {
            if (!result.isFixed()) {
                isUsed |= used[result.id()];
                visited[result.id()] = true;
            }
        }
        if (isUsed || Effects.isNeeded(instruction)) {
            useOperands(instruction);
        }
    }

    private void useOperands(IrInstruction instruction) {
        for (Use use : instruction.uses()) {
            use(use.value());
        }
    }

    private void use(Value value) {
        if (value == null || value.isFixed() || used[value.id()]) {
            return;
        }
        used[value.id()] = true;
        if (visited[value.id()]) {
            late.add(value.definition());
        }
    }

    private void sweep() {
        for (Block block : function.blocks()) {
            block.phis().removeIf(this::isUnused);
            block.instructions()
                    .removeIf(
                            instruction -> isUnused(instruction) && !Effects.isNeeded(instruction));
        }
    }

    private boolean isUnused(IrInstruction instruction) {
        for (Value result : instruction.results()) {
            if (result.isFixed() || used[result.id()]) {
                return false;
            }
        }
        return true;
    }
}
