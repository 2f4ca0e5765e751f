package io.gpuvm.softgpu.sm;

/// Decides whether a running block stops. Called at the block's end, and between turns of its warps
/// after at most a few thousand instructions.
@FunctionalInterface
public interface Safepoint {
    /// Returns whether the block must stop now. All state is retained: the block continues with the
    /// next [Sm#run(Safepoint)].
    ///
    /// @param warpInstructions number of warp instructions since the last call
    boolean stop(int warpInstructions);
}
