package io.gpuvm.cuda.service;

import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.pv.runtime.ContextSettings;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.transport.TransportException;

/// Calls that create, change and destroy contexts. Methods throw [CudaCallException] if the call is
/// refused.
final class ContextCalls {
    private final GpuContextExecutor.Parts parts;
    private final SessionObjects objects;
    private final SessionContexts contexts;

    ContextCalls(GpuContextExecutor.Parts parts, SessionObjects objects, SessionContexts contexts) {
        this.parts = parts;
        this.objects = objects;
        this.contexts = contexts;
    }

    void create(long context, long stream, boolean isPrimary) {
        objects.contexts().checkFree(context);
        objects.streams().checkFree(stream);
        if (isPrimary && contexts.hasPrimary()) {
            throw new CudaCallException(
                    CudaResult.PRIMARY_CONTEXT_ACTIVE, "primary contexts=2, limit=1");
        }
        contexts.checkRoomForContext();
        ExecutorContext created = open(isPrimary);
        objects.contexts().put(context, created);
        objects.streams().put(stream, created.legacy());
        contexts.add(created);
    }

    private ExecutorContext open(boolean isPrimary) {
        GpuContext gpu = null;
        try {
            ContextTransport opened = parts.transports().open();
            ContextSettings settings = new ContextSettings(parts.addresses(), false);
            gpu = GpuContext.open(opened.transport(), settings);
            return new ExecutorContext(
                    gpu, gpu.wrap(opened.dataArea()), isPrimary, contexts.means());
        } catch (TransportException e) {
            throw new CudaCallException(CudaResult.OUT_OF_MEMORY, e.getMessage());
        } catch (GpuException e) {
            if (gpu != null) {
                gpu.terminate();
            }
            throw new CudaCallException(resultOf(e), e.getMessage());
        }
    }

    /// Returns the result for an error of a new context: lack of channels is a lack of memory.
    private static CudaResult resultOf(GpuException e) {
        CudaResult result = ResultMapping.of(e, null);
        return result == CudaResult.LAUNCH_OUT_OF_RESOURCES ? CudaResult.OUT_OF_MEMORY : result;
    }

    void destroy(long context) {
        ExecutorContext destroyed = objects.contexts().remove(context);
        objects.removeAllOf(destroyed);
        contexts.destroy(destroyed);
    }

    void synchronize(long context, CallReply reply) {
        ExecutorContext awaited = objects.context(context);
        contexts.checkRoomForOperations(CallChecks.guarded(awaited, awaited::countBusyStreams));
        awaited.synchronize(reply);
    }

    void setLimit(long context, int limit, long value) {
        ExecutorContext changed = objects.context(context);
        if (limit != CudaExecutor.LIMIT_STACK_SIZE) {
            throw new CudaCallException(
                    CudaResult.UNSUPPORTED_LIMIT,
                    "limit=%d, expected=%d".formatted(limit, CudaExecutor.LIMIT_STACK_SIZE));
        }
        CallChecks.inRange("stack bytes", value, 0, CubinFunction.MAX_LOCAL_BYTES);
        changed.setStackBytes((int) value);
    }
}
