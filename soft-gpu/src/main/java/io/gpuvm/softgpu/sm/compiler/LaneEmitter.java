package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Writes what instructions of one kind do for a lane.
interface LaneEmitter {
    /// What an instruction costs in a loop over lanes, in operations that the JVM's compiler can
    /// make vectors of; 0 if this does not know it.
    int cost(Instruction i);

    /// Whether all that is written for an instruction is such that the JVM's compiler makes vectors
    /// of it. One thing that is not, and none of a loop is.
    default boolean isVector(Instruction i) {
        return true;
    }

    /// Writes what an instruction that has a cost does.
    void emit(Instruction i, LaneCode lane);
}
