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

    /// Instructions of the block so far.
    private List<IrInstruction> code = new ArrayList<>();

    InsertingPass(Function function) {
        this.function = function;
    }

    /// Visits all instructions, in the order of the blocks.
    final void run() {
        for (Block block : function.blocks()) {
            code = new ArrayList<>(block.instructions().size());
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.pseudo() == null) {
                    fold(instruction);
                }
                code.add(instruction);
            }
            block.instructions(code);
        }
    }

    /// Changes an instruction.
    abstract void fold(IrInstruction instruction);

    /// Inserts an instruction before the one that is visited.
    final void insert(IrInstruction instruction) {
        code.add(instruction);
    }
}
