package io.gpuvm.softgpu.sm.compiler;

/// Instructions of a block that are executed the same way.
///
/// @param kind how
/// @param from index of the first in the block
/// @param to index behind the last
record Part(Kind kind, int from, int to) {
    enum Kind {
        /// In one loop over lanes that the JVM's compiler makes vectors of: [LaneLoopWriter].
        VECTORS,
        /// In one loop over lanes, one after the other.
        SCALARS,
        /// By the interpreter.
        STEPS,
        /// A branch to a place that the instruction names.
        BRANCH
    }
}
