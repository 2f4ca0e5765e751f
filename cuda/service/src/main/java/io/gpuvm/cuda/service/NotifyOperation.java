package io.gpuvm.cuda.service;

/// Completion of a call when all earlier operations of a stream are done.
final class NotifyOperation extends StreamOperation {
    private final CallReply reply;

    NotifyOperation(CallReply reply) {
        super(NO_CALL);
        this.reply = reply;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        stream.context().notifyAt(stream.gpu().point(), reply);
        return true;
    }

    @Override
    void cancel(CudaResult result) {
        reply.complete(result);
    }
}
