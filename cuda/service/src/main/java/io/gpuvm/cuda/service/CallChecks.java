package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import java.util.function.Supplier;

/// Checks of calls' operands. All methods throw [CudaCallException] if the call is refused.
final class CallChecks {
    private CallChecks() {}

    static void atMost(String name, long value, long limit) {
        if (value > limit) {
            throw new CudaCallException(
                    CudaResult.OUT_OF_MEMORY, "%s=%d, limit=%d".formatted(name, value, limit));
        }
    }

    static void inRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s=%d, expected %d to %d".formatted(name, value, least, most));
        }
    }

    static void flags(String name, int flags, int known) {
        if ((flags & ~known) != 0) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s flags=%#x, expected bits of %#x".formatted(name, flags, known));
        }
    }

    /// Returns the result of a call of the runtime, whose errors refuse the client's call.
    static <T> T guarded(ExecutorContext context, Supplier<T> call) {
        try {
            return call.get();
        } catch (GpuException e) {
            throw context.refusal(e);
        }
    }
}
