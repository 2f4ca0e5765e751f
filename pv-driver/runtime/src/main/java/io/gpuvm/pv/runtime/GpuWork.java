package io.gpuvm.pv.runtime;

/// Copy or fill that a stream submits in parts, as far as its queue has room ([GpuStream#offer]).
/// Used once, on one stream, by one thread at a time.
public abstract sealed class GpuWork permits BoxCopy, Fill {
    GpuWork() {}

    /// Checks the ranges of memory.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if a range lies outside its memory,
    ///   [GpuError#INVALID_HANDLE] if memory is closed or belongs to another context
    abstract void check(GpuContext context);

    /// Returns whether all parts are submitted.
    abstract boolean isComplete();

    /// Submits the next part. Called under the queue's lock, after [#check].
    ///
    /// @return number of the submission
    abstract long submitNext(CommandQueue queue);
}
