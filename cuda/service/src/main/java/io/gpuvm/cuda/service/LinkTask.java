package io.gpuvm.cuda.service;

/// Call that compiles and links modules: waits for its turn, counts the memory, and completes with
/// the length of the response.
final class LinkTask implements ContextTask {
    /// Memory that a compilation needs in addition to that for its sources.
    static final long COMPILER_BYTES = 1 << 20;

    /// Estimate of the memory of a compilation for each character of its sources.
    static final long BYTES_OF_CHARACTER = 100;

    private final ExecutorContext context;
    private final LinkQueue queue;
    private final Linking linking;
    private final AreaUses.Use use;
    private final CallReply reply;
    private boolean hasBegun;

    /// Memory of this process that is counted for the link.
    private long countedBytes;

    private long responseBytes;

    /// @param use use of the data area
    /// @param reply receives the length of the response, also after a failure
    LinkTask(
            ExecutorContext context,
            LinkQueue queue,
            Linking linking,
            AreaUses.Use use,
            CallReply reply) {
        this.context = context;
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
        if (linking.isRead()) {
            countMemory();
            linking.begin();
            queue.run(linking::link);
        }
        if (!linking.isDone()) {
            return false;
        }
        responseBytes = linking.responseBytes();
        linking.check();
        end(CudaResult.SUCCESS);
        return true;
    }

    private void countMemory() {
        long bytes = COMPILER_BYTES + linking.characters() * BYTES_OF_CHARACTER;
        context.takeModule(bytes);
        countedBytes = bytes;
    }

    private void end(CudaResult result) {
        context.giveBackModule(countedBytes);
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
