package io.gpuvm.softgpu.sm;

/// Reason for the return of [Sm#run(Safepoint)].
public enum Outcome {
    /// Exit of every thread of the block.
    BLOCK_DONE,
    /// Request of the [Safepoint] to stop, or a block whose warps all wait at barriers that no warp
    /// will complete.
    STOPPED,
    /// Error that prevents the block from continuing: [Sm#trap()].
    TRAPPED
}
