package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;

/// Host function: the client runs it when all earlier operations of the stream are done, and the
/// stream waits for its end.
final class HostFunctionOperation extends StreamOperation {
    private enum State {
        PENDING,
        AWAITED,
        RUNNING,
        ENDED
    }

    private final HostFunctions functions;
    private final CallReply reply;
    private ExecutorContext context;
    private State state = State.PENDING;

    HostFunctionOperation(long call, HostFunctions functions, CallReply reply) {
        super(call);
        this.functions = functions;
        this.reply = reply;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (state == State.PENDING) {
            state = State.AWAITED;
            context = stream.context();
            context.completions().add(stream.gpu().point(), this::onReached);
        }
        return state == State.ENDED;
    }

    private void onReached(GpuException failure) {
        if (state != State.AWAITED) {
            return;
        }
        if (failure != null) {
            cancel(context.resultOf(failure));
            return;
        }
        state = State.RUNNING;
        functions.begin(this);
        reply.complete(CudaResult.SUCCESS);
    }

    /// Ends the function.
    void end() {
        state = State.ENDED;
    }

    @Override
    void cancel(CudaResult result) {
        boolean isAwaited = state == State.PENDING || state == State.AWAITED;
        state = State.ENDED;
        if (isAwaited) {
            reply.complete(result);
        } else {
            functions.cancel(this);
        }
    }
}
