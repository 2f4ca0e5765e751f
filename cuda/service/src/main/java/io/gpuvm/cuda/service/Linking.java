package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.LinkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Link of the modules of one request, on the thread of a [LinkQueue], in two parts: the request is
/// read, then the poller counts the memory for the link, then the modules are linked. The poller
/// starts the parts and takes the result.
final class Linking {
    private static final Logger LOG = LoggerFactory.getLogger(Linking.class);

    /// Ranges of the data area.
    ///
    /// @param request request, which the client may change at any time
    /// @param response receives the response
    record LinkArea(MemorySegment request, MemorySegment response) {}

    private enum State {
        READING,
        READ,
        LINKING,
        DONE
    }

    private final LinkCache cache;
    private final LinkArea area;
    private final Runnable onProgress;
    private final AtomicReference<State> state = new AtomicReference<>(State.READING);

    /// True if the result is no longer wanted.
    private volatile boolean cancelled;

    /// Request, published by the state [State#READ].
    private ModuleLinker linker;

    private String key;

    /// Result, published by the state [State#DONE].
    private CudaResult result;

    private String message = "";
    private long responseBytes;
    private long nanos;

    /// @param onProgress called on the thread of the link when a part has ended
    Linking(LinkCache cache, LinkArea area, Runnable onProgress) {
        this.cache = cache;
        this.area = area;
        this.onProgress = onProgress;
    }

    /// Reads the request; completes the link if its result is known. On the thread of the link.
    void read() {
        State next = State.DONE;
        try {
            byte[] request = copy();
            key = LinkCache.keyOf(request);
            byte[] known = cache.find(key);
            if (known != null) {
                finish(CudaResult.SUCCESS, known);
            } else {
                linker = ModuleLinker.of(LinkRequest.read(request));
                next = State.READ;
            }
        } catch (IllegalArgumentException e) {
            refuse(CudaResult.INVALID_VALUE, e.getMessage());
        } catch (CudaCallException e) {
            refuse(e.result(), e.getMessage());
        } catch (OutOfMemoryError _) {
            refuseForHeap();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            state.set(next);
            if (cancelled) {
                endUnlinked();
            }
            onProgress.run();
        }
    }

    /// Links the modules. On the thread of the link, after [#isRead()].
    void link() {
        long start = System.nanoTime();
        try {
            ModuleLinker.Linked linked = linker.link(() -> cancelled);
            byte[] response = linked.response().toBytes();
            if (linked.result() == CudaResult.SUCCESS) {
                cache.add(key, response);
            } else {
                message = linked.response().errors();
            }
            finish(linked.result(), response);
        } catch (CudaCallException e) {
            refuse(e.result(), e.getMessage());
        } catch (OutOfMemoryError | StackOverflowError _) {
            refuseForHeap();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            linker = null;
            nanos = System.nanoTime() - start;
            state.set(State.DONE);
            onProgress.run();
        }
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
            refuse(CudaResult.CONTEXT_IS_DESTROYED, "link is cancelled");
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

    private void refuseForHeap() {
        refuse(
                CudaResult.OUT_OF_MEMORY,
                "request bytes=%d, too large for the heap".formatted(area.request.byteSize()));
    }

    private void fail(Throwable e) {
        LOG.error("internal error, module not linked", e);
        refuse(CudaResult.UNKNOWN, "internal error");
    }

    /// Ends the link soon; its result is no longer wanted.
    void cancel() {
        cancelled = true;
        endUnlinked();
    }

    /// Ends a link whose second part does not begin.
    private void endUnlinked() {
        if (state.compareAndSet(State.READ, State.DONE)) {
            linker = null;
        }
    }

    /// Returns whether the request is read, so that [#link()] may begin.
    boolean isRead() {
        return state.get() == State.READ;
    }

    /// Returns the number of characters of the sources. Called after [#isRead()].
    long characters() {
        return linker.characters();
    }

    /// Called on the poller's thread before [#link()] is started.
    void begin() {
        state.set(State.LINKING);
    }

    /// Returns whether the result is known. The link then no longer accesses the data area.
    boolean isDone() {
        return state.get() == State.DONE;
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
