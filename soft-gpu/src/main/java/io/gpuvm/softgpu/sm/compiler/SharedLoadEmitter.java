package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Emitter of loads of words from shared memory, at addresses that have been checked.
final class SharedLoadEmitter implements LaneEmitter {
    private static final int COST = 3;

    /// Returns the number of bytes that a load reads; 0 for other instructions, and for loads of
    /// less than a word.
    static int bytes(Instruction i) {
        if (i.opcode != Opcode.LDS) {
            return 0;
        }
        int bytes = MemorySize.of(i.mode).bytes();
        return bytes < Integer.BYTES ? 0 : bytes;
    }

    @Override
    public int cost(Instruction i) {
        return bytes(i) / Integer.BYTES * COST;
    }

    @Override
    public boolean isVector(Instruction i) {
        return false;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        lane.push(i.offset);
        lane.code().iadd();
        int address = lane.store();
        for (int word = 0; word < bytes(i) / Integer.BYTES; word++) {
            lane.code().iload(address);
            lane.push(word * Integer.BYTES);
            lane.code().iadd();
            lane.loadShared();
            lane.setInt(i.result + word * Rows.STRIDE);
        }
    }
}
