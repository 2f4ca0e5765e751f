package io.gpuvm.cuda.service;

/// Receiver of the description of a loaded module. Called as [CudaReply] is.
@FunctionalInterface
public interface ModuleReply {
    /// Completes the call.
    ///
    /// @param module description of the module; null if the load failed
    void complete(CudaResult result, ModuleDescription module);
}
