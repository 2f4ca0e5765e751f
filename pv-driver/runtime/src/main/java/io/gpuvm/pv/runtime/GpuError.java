package io.gpuvm.pv.runtime;

/// What went wrong, as a caller may want to tell apart.
public enum GpuError {
    /// An argument that makes no sense: a size, a range, a shape of a launch.
    INVALID_VALUE,
    /// Something that was closed, or that belongs to another context.
    INVALID_HANDLE,
    /// A file that is no module for this GPU, or a broken one.
    INVALID_IMAGE,
    /// No kernel or variable with that name.
    NOT_FOUND,
    /// The kernel needs more than a multiprocessor has.
    OUT_OF_RESOURCES,
    /// No memory left.
    OUT_OF_MEMORY,
    /// A kernel failed while it ran; the context is of no more use.
    LAUNCH_FAILED,
    /// A kernel ran for longer than is allowed; the context is of no more use.
    LAUNCH_TIMEOUT,
    /// The GPU, or the way to it, is gone.
    LOST
}
