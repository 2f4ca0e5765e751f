package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Writes what instructions of one kind do for a lane.
interface LaneEmitter {
    /// What an instruction costs in a loop over lanes, in operations that the JVM's compiler can
    /// make vectors of; 0 if this does not know it.
    int cost(Instruction i);

    /// Writes what an instruction that has a cost does.
    void emit(Instruction i, LaneCode lane);
}
