package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.LinkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Link of the modules of one request, on the thread of a [LinkQueue]: copy of the request,
/// compilation and link. The poller starts it, and takes the result.
final class Linking implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Linking.class);

    /// Maximum length of a response, which the poller copies in one step.
    private static final int MAX_RESPONSE_BYTES = 16 << 20;

    /// Number of copies of a request: the request, and its inputs.
    private static final long COPIES = 2;

    private static final byte[] NO_RESPONSE = new byte[0];

    private final LinkQueue queue;
    private final MemorySegment request;
    private final Runnable onDone;

    /// True once the request is copied, or never will be.
    private volatile boolean copied;

    /// True if the result is no longer wanted.
    private volatile boolean cancelled;

    /// Publishes all following fields.
    private volatile boolean done;

    private CudaResult result;
    private String message = "";
    private byte[] response = NO_RESPONSE;
    private long nanos;

    /// @param request request in the data area, which the client may change at any time
    /// @param onDone called on the thread of the link when the result is known
    Linking(LinkQueue queue, MemorySegment request, Runnable onDone) {
        this.queue = queue;
        this.request = request;
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
                    "request bytes=%d, too large for the heap".formatted(request.byteSize()));
        } catch (RuntimeException | Error e) {
            if (queue.mayLogError()) {
                LOG.error("internal error, module not linked", e);
            }
            refuse(CudaResult.UNKNOWN, "internal error");
        } finally {
            nanos = System.nanoTime() - start;
            copied = true;
            done = true;
            onDone.run();
        }
    }

    private byte[] copy() {
        long needed = COPIES * request.byteSize();
        if (needed > queue.compileBytes()) {
            throw new CudaCallException(
                    CudaResult.OUT_OF_MEMORY,
                    "request: bytes of memory=%d, limit=%d, the memory for compilations"
                            .formatted(needed, queue.compileBytes()));
        }
        try {
            byte[] copy = request.toArray(ValueLayout.JAVA_BYTE);
            copied = true;
            return copy;
        } catch (IllegalStateException _) {
            throw new CudaCallException(
                    CudaResult.DEVICE_UNAVAILABLE, "session has ended, expected a session");
        }
    }

    private void link(byte[] copy) {
        String key = LinkCache.keyOf(copy);
        byte[] known = queue.cache().find(key);
        if (known != null) {
            result = CudaResult.SUCCESS;
            response = known;
            return;
        }
        ModuleLinker.Linked linked =
                ModuleLinker.of(LinkRequest.read(copy), queue.compileBytes())
                        .link(queue.compileBytes(), () -> cancelled);
        byte[] made = linked.response().toBytes();
        if (made.length > MAX_RESPONSE_BYTES) {
            throw new CudaCallException(
                    CudaResult.OUT_OF_MEMORY,
                    "response bytes=%d, limit=%d".formatted(made.length, MAX_RESPONSE_BYTES));
        }
        if (linked.result() == CudaResult.SUCCESS) {
            queue.cache().add(key, made);
        }
        result = linked.result();
        message = linked.response().errors();
        response = made;
    }

    private void refuse(CudaResult refusal, String reason) {
        result = refusal;
        message = reason;
    }

    /// Ends the link soon; its result is no longer wanted.
    void cancel() {
        cancelled = true;
    }

    /// Ends a link that has not begun.
    void skip() {
        copied = true;
    }

    /// Returns whether the link no longer reads the data area.
    boolean isAreaFree() {
        return copied;
    }

    /// Returns whether the result is known.
    boolean isDone() {
        return done;
    }

    /// Returns the processor time of the link. Called after [#isDone()].
    long nanos() {
        return nanos;
    }

    /// Returns the response, which is empty if there is none. Called after [#isDone()].
    byte[] response() {
        return response;
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
