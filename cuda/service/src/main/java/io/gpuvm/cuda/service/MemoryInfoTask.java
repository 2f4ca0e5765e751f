package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.Releases;

/// Query of the free memory after all earlier releases.
final class MemoryInfoTask implements ContextTask {
    private static final long UNKNOWN = -1;

    private final ExecutorContext context;
    private final CallReply reply;

    /// True once all earlier operations are submitted, so that all earlier releases are requested.
    private boolean isOrdered;

    /// Number of releases to wait for.
    private long requested = UNKNOWN;

    MemoryInfoTask(ExecutorContext context, CallReply reply) {
        this.context = context;
        this.reply = reply;
        context.release(() -> isOrdered = true);
    }

    @Override
    public boolean advance() {
        if (!isOrdered) {
            return false;
        }
        Releases releases = context.releases();
        if (requested == UNKNOWN) {
            requested = releases.requested();
        }
        if (releases.done() < requested) {
            return false;
        }
        long total = context.gpu().limits().vramBytes();
        reply.complete(CudaResult.SUCCESS, context.gpu().freeVramBytes(), total);
        return true;
    }

    @Override
    public void cancel(CudaResult result) {
        reply.complete(result);
    }
}
