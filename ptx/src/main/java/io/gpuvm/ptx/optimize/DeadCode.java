package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayDeque;
import java.util.BitSet;

/// Removes instructions whose results are not used.
final class DeadCode {
    private DeadCode() {}

    static void remove(Function function) {
        BitSet used = new BitSet(function.values());
        ArrayDeque<IrInstruction> work = new ArrayDeque<>();
        for (Block block : function.blocks()) {
            for (IrInstruction instruction : block.instructions()) {
                if (Effects.isNeeded(instruction)) {
                    work.add(instruction);
                }
            }
            use(block.terminator().value(), used, work);
        }
        while (!work.isEmpty()) {
            for (Use use : work.poll().uses()) {
                use(use.value(), used, work);
            }
        }
        for (Block block : function.blocks()) {
            block.phis().removeIf(phi -> !used.get(phi.result().id()));
            block.instructions()
                    .removeIf(instruction ->
                            !Effects.isNeeded(instruction) && isUnused(instruction, used));
        }
    }

    private static void use(Value value, BitSet used, ArrayDeque<IrInstruction> work) {
        if (value != null && !value.isFixed() && !used.get(value.id())) {
            used.set(value.id());
            work.add(value.definition());
        }
    }

    private static boolean isUnused(IrInstruction instruction, BitSet used) {
        for (Value result : instruction.results()) {
            if (used.get(result.id())) {
                return false;
            }
        }
        return true;
    }
}
