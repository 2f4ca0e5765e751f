package io.gpuvm.pv.runtime;

/// Kinds of errors that a caller may handle differently.
public enum GpuError {
    /// Invalid argument: a size, a range, a shape of a launch.
    INVALID_VALUE,
    /// Object that is closed, or belongs to another context.
    INVALID_HANDLE,
    /// File that is damaged, or not a module for this GPU.
    INVALID_IMAGE,
    /// Unknown name of a kernel, variable or texture.
    NOT_FOUND,
    /// Kernel that needs more resources than a multiprocessor has, or a context for which no
    /// channel is left.
    OUT_OF_RESOURCES,
    /// Request for more memory than is left.
    OUT_OF_MEMORY,
    /// Kernel that failed while it ran; the context is unusable.
    LAUNCH_FAILED,
    /// Kernel that exceeded its time limit; the context is unusable.
    LAUNCH_TIMEOUT,
    /// Loss of the GPU, or of the connection to it.
    LOST
}
