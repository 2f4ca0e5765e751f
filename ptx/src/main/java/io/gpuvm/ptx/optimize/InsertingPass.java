package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import java.util.ArrayList;
import java.util.List;

/// Pass over a function that changes single instructions, and may insert instructions before them.
/// Pseudo instructions stay as they are.
abstract class InsertingPass {
    final Function function;

    private Block block;

    /// Instructions of the block so far, or null if none was inserted.
    private List<IrInstruction> code;

    /// Index of the instruction that is visited.
    private int index;

    InsertingPass(Function function) {
        this.function = function;
    }

    /// Visits all instructions, in the order of the blocks.
    final void run() {
        for (Block each : function.blocks()) {
            block = each;
            List<IrInstruction> instructions = block.instructions();
            for (index = 0; index < instructions.size(); index++) {
                IrInstruction instruction = instructions.get(index);
                if (instruction.pseudo() == null) {
                    fold(instruction);
                }
                if (code != null) {
                    code.add(instruction);
                }
            }
            if (code != null) {
                block.instructions(code);
                code = null;
            }
        }
    }

    /// Changes an instruction.
    abstract void fold(IrInstruction instruction);

    /// Inserts an instruction before the one that is visited.
    final void insert(IrInstruction instruction) {
        if (code == null) {
            code = new ArrayList<>(block.instructions().size() + 1);
            code.addAll(block.instructions().subList(0, index));
        }
        code.add(instruction);
    }
}
