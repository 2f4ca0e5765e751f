package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.service.CallReply;
import io.gpuvm.cuda.service.CudaResult;

/// Call that the client expects to be answered, from its acceptance until its completion is in the
/// ring. The front end allocates all of them when the session begins, and uses them again.
final class PendingCall implements CallReply {
    private final CallCompletions completions;
    private long number;
    private int status;
    private long first;
    private long second;

    PendingCall(CallCompletions completions) {
        this.completions = completions;
    }

    /// Begins a call.
    void begin(long numberOfCall) {
        number = numberOfCall;
    }

    /// Returns the number of the call.
    long number() {
        return number;
    }

    int status() {
        return status;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }

    @Override
    public void complete(CudaResult result, long firstResult, long secondResult) {
        complete(result.code(), firstResult, secondResult);
    }

    /// Completes the call. The completion is published at the end of the turn.
    void complete(int statusOfCall, long firstResult, long secondResult) {
        status = statusOfCall;
        first = firstResult;
        second = secondResult;
        completions.completed(this);
    }
}
