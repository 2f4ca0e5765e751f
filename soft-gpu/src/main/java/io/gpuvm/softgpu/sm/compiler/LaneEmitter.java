package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Writer of the effects that instructions of one kind have on a lane.
interface LaneEmitter {
    /// Returns the cost of an instruction in a loop over lanes, in operations that the JVM's
    /// compiler can vectorize; 0 if this emitter does not support the instruction.
    int cost(Instruction i);

    /// Returns whether the JVM's compiler can vectorize all code that is written for an
    /// instruction. A single operation that it cannot vectorize prevents vectors in the whole loop.
    default boolean isVector(Instruction i) {
        return true;
    }

    /// Writes the effects of an instruction whose cost is not 0.
    void emit(Instruction i, LaneCode lane);
}
