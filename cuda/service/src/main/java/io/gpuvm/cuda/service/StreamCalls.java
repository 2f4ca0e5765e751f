package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.CallChecks.guarded;

import io.gpuvm.pv.runtime.GpuException;

/// Calls for streams and host functions. Methods throw [CudaCallException] if the call is refused.
final class StreamCalls {
    /// Flags of `cuStreamCreate`.
    private static final int STREAM_FLAGS = CudaExecutor.NON_BLOCKING;

    private final GpuContextExecutor.Parts parts;
    private final SessionObjects objects;
    private final SessionContexts contexts;
    private final HostFunctions hostFunctions = new HostFunctions();

    StreamCalls(GpuContextExecutor.Parts parts, SessionObjects objects, SessionContexts contexts) {
        this.parts = parts;
        this.objects = objects;
        this.contexts = contexts;
    }

    HostFunctions hostFunctions() {
        return hostFunctions;
    }

    void create(long context, long stream, int flags) {
        ExecutorContext owner = objects.context(context);
        objects.streams().checkFree(stream);
        CallChecks.flags("stream", flags, STREAM_FLAGS);
        CallChecks.atMost("streams", owner.streamCount() + 1L, parts.limits().streams());
        contexts.means().heap().check("stream", SessionHeap.STREAM_BYTES);
        boolean isBlocking = (flags & CudaExecutor.NON_BLOCKING) == 0;
        objects.streams().put(stream, guarded(owner, () -> owner.newStream(isBlocking)));
    }

    void destroy(long stream) {
        ExecutorStream destroyed = objects.streams().get(stream);
        if (destroyed == destroyed.context().legacy()) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE,
                    "stream is the default stream, expected a created stream");
        }
        objects.streams().remove(stream);
        destroyed.context().destroy(destroyed);
    }

    void synchronize(long stream, CallReply reply) {
        ExecutorStream awaited = objects.stream(stream);
        if (isIdle(awaited)) {
            reply.complete(CudaResult.SUCCESS);
            return;
        }
        contexts.checkRoomForOperation();
        try {
            awaited.add(new NotifyOperation(reply));
        } catch (CudaCallException e) {
            // The operation has completed the call.
            parts.errors().onRefused(e.result(), e.getMessage());
        }
    }

    CudaResult query(long stream) {
        return isIdle(objects.stream(stream)) ? CudaResult.SUCCESS : CudaResult.NOT_READY;
    }

    private static boolean isIdle(ExecutorStream stream) {
        try {
            return stream.isIdle();
        } catch (GpuException e) {
            throw stream.context().refusal(e);
        }
    }

    void launchHostFunction(long call, long stream, CallReply reply) {
        ExecutorStream stalled = objects.stream(stream);
        contexts.checkRoomForOperation();
        HostFunctionOperation function = new HostFunctionOperation(call, hostFunctions, reply);
        try {
            stalled.context().act(stalled, function);
        } catch (CudaCallException e) {
            // Completes the call, unless the stream has already done so.
            function.cancel(e.result());
            parts.errors().onRefused(e.result(), e.getMessage());
        }
    }
}
