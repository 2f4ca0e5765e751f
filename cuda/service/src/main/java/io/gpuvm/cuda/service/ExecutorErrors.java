package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.KernelReport;

/// Receiver of errors with their texts, for logs and traces, and for errors of calls that have
/// already returned. Called on the executor's thread.
public interface ExecutorErrors {
    /// Called when a call fails, before it returns or completes.
    ///
    /// @param message values and limits
    void onRefused(CudaResult result, String message);

    /// Called when an operation fails whose call has returned [CudaResult#SUCCESS].
    ///
    /// @param call number of the call
    /// @param message values and limits
    void onFailedLater(long call, CudaResult result, String message);

    /// Called when a context has failed, before the first call returns its error.
    ///
    /// @param report report about the kernel, for the client
    void onReport(KernelReport report);
}
