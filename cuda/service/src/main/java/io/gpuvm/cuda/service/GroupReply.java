package io.gpuvm.cuda.service;

/// Completion of a call after several parts, with the result of the first part that failed.
final class GroupReply implements CallReply {
    private final CallReply reply;
    private CudaResult result = CudaResult.SUCCESS;

    /// Number of parts that are not complete, plus one until [#end()].
    private int left = 1;

    GroupReply(CallReply reply) {
        this.reply = reply;
    }

    /// Adds a part.
    void add() {
        left++;
    }

    /// Ends the addition of parts.
    void end() {
        complete(CudaResult.SUCCESS);
    }

    @Override
    public void complete(CudaResult part, long first, long second) {
        if (result == CudaResult.SUCCESS) {
            result = part;
        }
        left--;
        if (left == 0) {
            reply.complete(result);
        }
    }
}
