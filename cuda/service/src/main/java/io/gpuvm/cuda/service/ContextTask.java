package io.gpuvm.cuda.service;

/// Call of a context that waits for memory or for a load.
interface ContextTask {
    /// Advances the call, without waiting.
    ///
    /// @return whether the call is complete
    /// @throws io.gpuvm.pv.runtime.GpuException if the call fails; the task then ends
    /// @throws CudaCallException if the call is refused; the task then ends
    boolean advance();

    /// Completes the call, which failed or whose context has ended.
    void cancel(CudaResult result);
}
