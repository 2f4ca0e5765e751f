package io.gpuvm.softgpu.sm.compiler;

/// Instructions of a block that are executed in the same way.
///
/// @param kind method of execution
/// @param from index of the first instruction in the block
/// @param to index after the last instruction
record Part(Kind kind, int from, int to) {
    enum Kind {
        /// Loop over lanes that the JVM's compiler vectorizes: [LaneLoopWriter].
        VECTORS,
        /// Loop over lanes that is executed lane by lane.
        SCALARS,
        /// Steps of the interpreter.
        STEPS,
        /// Branch to a target in the instruction.
        BRANCH
    }
}
