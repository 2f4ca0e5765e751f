package io.gpuvm.cuda.service;

/// Receiver of the results of a call. Called exactly once, on the executor's thread, by the call
/// itself or by a later call of the executor, usually [CudaExecutor#doWork()]. Must not call the
/// executor.
@FunctionalInterface
public interface CallReply {
    /// Completes the call.
    ///
    /// @param first first result value; 0 if the call has none, or failed unless documented
    ///   otherwise
    /// @param second second result value; 0 if the call has fewer or failed
    void complete(CudaResult result, long first, long second);

    /// Completes a call that has no result values, or failed.
    default void complete(CudaResult result) {
        complete(result, 0, 0);
    }
}
