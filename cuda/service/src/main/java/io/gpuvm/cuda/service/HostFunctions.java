package io.gpuvm.cuda.service;

import java.util.HashMap;
import java.util.Map;

/// Host functions that the client runs, by number of the call.
final class HostFunctions {
    private final Map<Long, HostFunctionOperation> running = new HashMap<>();

    void begin(HostFunctionOperation function) {
        running.put(function.call(), function);
    }

    /// Ends a function.
    ///
    /// @throws CudaCallException if no function with this call runs
    void end(long call) {
        HostFunctionOperation function = running.remove(call);
        if (function == null) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "host function call=%d, expected the call of a function that runs"
                            .formatted(call));
        }
        function.end();
    }

    /// Forgets a function whose context has ended.
    void cancel(HostFunctionOperation function) {
        running.remove(function.call(), function);
    }

    boolean areRunning() {
        return !running.isEmpty();
    }
}
