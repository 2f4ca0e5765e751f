package io.gpuvm.cuda.service;

/// Conversion of refusals to results, with reports to [ExecutorErrors].
final class CallGuard {
    /// Body of a call.
    @FunctionalInterface
    interface Action {
        /// @throws CudaCallException if the call is refused
        void run();
    }

    private final ExecutorErrors errors;

    CallGuard(ExecutorErrors errors) {
        this.errors = errors;
    }

    /// Runs a call.
    CudaResult run(Action action) {
        try {
            action.run();
            return CudaResult.SUCCESS;
        } catch (CudaCallException e) {
            return refuse(e);
        }
    }

    /// Runs a call that completes the reply itself unless it is refused.
    void replying(CallReply reply, Action action) {
        CudaResult result = run(action);
        if (result != CudaResult.SUCCESS) {
            reply.complete(result);
        }
    }

    /// Reports the refusal of a call.
    ///
    /// @return result of the call
    CudaResult refuse(CudaCallException e) {
        if (e.result() != CudaResult.NOT_READY) {
            errors.onRefused(e.result(), e.getMessage());
        }
        return e.result();
    }
}
