package io.gpuvm.softgpu.sm;

/// Why [Sm#run(Safepoint)] has returned.
public enum Outcome {
    /// Every thread of the block has exited.
    BLOCK_DONE,
    /// The [Safepoint] said so, or every warp waits at a barrier that nobody will complete.
    STOPPED,
    /// The block cannot go on: [Sm#trap()] says why.
    TRAPPED
}
