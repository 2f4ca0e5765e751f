package io.gpuvm.softgpu.sm;

/// Asked by a running block whether to stop: at its end, at loop back edges and calls, after at
/// most a few thousand instructions.
@FunctionalInterface
public interface Safepoint {
    /// Whether to return to the caller now. All state is kept: the block goes on with the next
    /// [Sm#run(Safepoint)].
    ///
    /// @param warpInstructions how many instructions warps have executed since the last call
    boolean stop(int warpInstructions);
}
