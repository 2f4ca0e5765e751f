package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.LinkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Link of the modules of one request, on the thread of a [LinkQueue]: copy of the request,
/// compilation and link, response. The poller starts it, and takes the result.
final class Linking implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Linking.class);

    /// Ranges of the data area.
    ///
    /// @param request request, which the client may change at any time
    /// @param response receives the response
    record LinkArea(MemorySegment request, MemorySegment response) {}

    private final LinkQueue queue;
    private final LinkArea area;
    private final Runnable onDone;

    /// True if the result is no longer wanted.
    private volatile boolean cancelled;

    /// Publishes all following fields.
    private volatile boolean done;

    private CudaResult result;
    private String message = "";
    private long responseBytes;
    private long nanos;

    /// @param onDone called on the thread of the link when the result is known
    Linking(LinkQueue queue, LinkArea area, Runnable onDone) {
        this.queue = queue;
        this.area = area;
        this.onDone = onDone;
    }

    @Override
    public void run() {
        long start = System.nanoTime();
        try {
            if (!cancelled) {
                link(copy());
            }
        } catch (IllegalArgumentException e) {
            refuse(CudaResult.INVALID_VALUE, e.getMessage());
        } catch (CudaCallException e) {
            refuse(e.result(), e.getMessage());
        } catch (OutOfMemoryError | StackOverflowError _) {
            refuse(
                    CudaResult.OUT_OF_MEMORY,
                    "request bytes=%d, too large for the heap"
                            .formatted(area.request.byteSize()));
        } catch (RuntimeException | Error e) {
            LOG.error("internal error, module not linked", e);
            refuse(CudaResult.UNKNOWN, "internal error");
        } finally {
            nanos = System.nanoTime() - start;
            done = true;
            onDone.run();
        }
    }

    private void link(byte[] request) {
        String key = LinkCache.keyOf(request);
        byte[] known = queue.cache().find(key);
        if (known != null) {
            finish(CudaResult.SUCCESS, known);
            return;
        }
        ModuleLinker.Linked linked =
                ModuleLinker.of(LinkRequest.read(request)).link(queue.compileBytes(), this::isUnwanted);
        byte[] response = linked.response().toBytes();
        if (linked.result() == CudaResult.SUCCESS) {
            queue.cache().add(key, response);
        } else {
            message = linked.response().errors();
        }
        finish(linked.result(), response);
    }

    private boolean isUnwanted() {
        return cancelled;
    }

    private byte[] copy() {
        try {
            return area.request.toArray(ValueLayout.JAVA_BYTE);
        } catch (IllegalStateException _) {
            throw endOfSession();
        }
    }

    private static CudaCallException endOfSession() {
        return new CudaCallException(
                CudaResult.DEVICE_UNAVAILABLE, "session has ended, expected a session");
    }

    /// Writes the response, if its range suffices.
    private void finish(CudaResult ofLink, byte[] response) {
        if (cancelled) {
            return;
        }
        responseBytes = response.length;
        if (response.length > area.response.byteSize()) {
            refuse(
                    CudaResult.INVALID_VALUE,
                    "response bytes=%d, limit=%d"
                            .formatted(response.length, area.response.byteSize()));
            return;
        }
        try {
            MemorySegment.copy(
                    response, 0, area.response, ValueLayout.JAVA_BYTE, 0, response.length);
        } catch (IllegalStateException _) {
            throw endOfSession();
        }
        result = ofLink;
    }

    private void refuse(CudaResult refusal, String reason) {
        result = refusal;
        message = reason;
    }

    /// Ends the link soon; its result is no longer wanted.
    void cancel() {
        cancelled = true;
    }

    /// Returns whether the result is known. The link then no longer accesses the data area.
    boolean isDone() {
        return done;
    }

    /// Returns the processor time of the link. Called after [#isDone()].
    long nanos() {
        return nanos;
    }

    /// Returns the length of the response, 0 if there is none. Called after [#isDone()].
    long responseBytes() {
        return responseBytes;
    }

    /// Checks the result. Called after [#isDone()].
    ///
    /// @throws CudaCallException if the link failed
    void check() {
        if (result != CudaResult.SUCCESS) {
            throw new CudaCallException(result, message);
        }
    }
}
