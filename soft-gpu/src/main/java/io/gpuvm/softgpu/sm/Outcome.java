package io.gpuvm.softgpu.sm;

/// Reason for the return of [Sm#run(Safepoint)].
public enum Outcome {
    /// Every thread of the block has exited.
    BLOCK_DONE,
    /// The [Safepoint] has requested a stop, or every warp waits at a barrier that no warp will
    /// complete.
    STOPPED,
    /// The block cannot continue: [Sm#trap()] is the cause.
    TRAPPED
}
