package io.gpuvm.softgpu.sm;

/// Decides whether a running block stops. Called at its end, at loop back edges and calls, after at
/// most a few thousand instructions.
@FunctionalInterface
public interface Safepoint {
    /// Returns whether to return to the caller now. All state is kept: the block continues with the
    /// next [Sm#run(Safepoint)].
    ///
    /// @param warpInstructions number of warp instructions since the last call
    boolean stop(int warpInstructions);
}
