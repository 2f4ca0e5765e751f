package io.gpuvm.cuda.service;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Call that compiles and links modules: waits for its turn and for the result, writes the
/// response, and completes with its length.
final class LinkTask implements ContextTask {
    /// Bytes of a response that the poller copies in a step of a turn.
    private static final int BYTES_OF_STEP = 256;

    private final LinkQueue queue;
    private final Linking linking;
    private final MemorySegment target;
    private final Turn turn;
    private final CallReply reply;
    private boolean hasBegun;
    private long responseBytes;

    /// @param target part of the data area that receives the response
    /// @param use use of the data area by the request
    /// @param turn current turn of the session, to which the copy of the response is charged
    /// @param reply receives the length of the response, also after a failure
    LinkTask(
            LinkQueue queue,
            Linking linking,
            MemorySegment target,
            AreaUses.Use use,
            Turn turn,
            CallReply reply) {
        this.queue = queue;
        this.linking = linking;
        this.target = target;
        this.turn = turn;
        this.reply = reply;
        use.endsWhen(linking::isAreaFree);
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
        byte[] response = linking.response();
        responseBytes = response.length;
        if (response.length > target.byteSize()) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "response bytes=%d, limit=%d".formatted(response.length, target.byteSize()));
        }
        turn.spend(response.length / BYTES_OF_STEP);
        MemorySegment.copy(response, 0, target, ValueLayout.JAVA_BYTE, 0, response.length);
        linking.check();
        reply.complete(CudaResult.SUCCESS, responseBytes, 0);
        return true;
    }

    @Override
    public void cancel(CudaResult result) {
        linking.cancel();
        if (!hasBegun) {
            queue.leave(this);
            linking.skip();
        }
        reply.complete(result, responseBytes, 0);
    }
}
