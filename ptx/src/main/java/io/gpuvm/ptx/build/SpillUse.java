package io.gpuvm.ptx.build;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.allocate.Frame;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Slot;

/// Use of local memory for spilled registers.
///
/// @param bytes size of the memory
/// @param storeBytes sum of the sizes of all stores to it
/// @param loadBytes sum of the sizes of all loads from it
record SpillUse(int bytes, int storeBytes, int loadBytes) {
    /// Counts the spills of a function after the allocation of registers.
    ///
    /// @param start offset at which the memory for spilled registers begins in the frame
    static SpillUse of(Function function, Frame frame, int start) {
        int stores = 0;
        int loads = 0;
        if (frame.spillBytes() > 0) {
            for (Block block : function.blocks()) {
                for (IrInstruction instruction : block.instructions()) {
                    if (isSpill(instruction, frame, start)) {
                        int size = MemorySize.of(instruction.modifiers().get(Field.SIZE)).bytes();
                        stores += instruction.is(Opcode.STL) ? size : 0;
                        loads += instruction.is(Opcode.LDL) ? size : 0;
                    }
                }
            }
        }
        return new SpillUse(frame.spillBytes(), stores, loads);
    }

    private static boolean isSpill(IrInstruction instruction, Frame frame, int start) {
        if (!instruction.is(Opcode.STL) && !instruction.is(Opcode.LDL)) {
            return false;
        }
        int offset = instruction.modifiers().get(Field.OFFSET);
        return frame.base().equals(instruction.operand(Slot.A))
                && offset >= start
                && offset < frame.bytes();
    }
}
