package io.gpuvm.cuda.service;

/// Call that compiles and links modules: waits for its turn and for the result, and completes with
/// the length of the response.
final class LinkTask implements ContextTask {
    private final LinkQueue queue;
    private final Linking linking;
    private final AreaUses.Use use;
    private final CallReply reply;
    private boolean hasBegun;
    private long responseBytes;

    /// @param use use of the data area
    /// @param reply receives the length of the response, also after a failure
    LinkTask(LinkQueue queue, Linking linking, AreaUses.Use use, CallReply reply) {
        this.queue = queue;
        this.linking = linking;
        this.use = use;
        this.reply = reply;
    }

    @Override
    public boolean advance() {
        if (!hasBegun) {
            if (!queue.mayBegin(this)) {
                return false;
            }
            hasBegun = true;
            queue.begin(linking);
        }
        if (!linking.isDone()) {
            return false;
        }
        responseBytes = linking.responseBytes();
        linking.check();
        end(CudaResult.SUCCESS);
        return true;
    }

    private void end(CudaResult result) {
        use.endsWhen(() -> !hasBegun || linking.isDone());
        reply.complete(result, responseBytes, 0);
    }

    @Override
    public void cancel(CudaResult result) {
        queue.leave(this);
        linking.cancel();
        end(result);
    }
}
