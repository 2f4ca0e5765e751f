package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.pv.module.ModuleException;
import io.gpuvm.pv.module.ModuleImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reading of a module on the thread of a [ModuleReader]: copy of the image, hash, and parsing. The
/// executor's thread polls the outcome.
final class ModuleReading implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleReading.class);

    private enum State {
        WAITING,
        COPYING,
        PARSING,
        DONE
    }

    private final ModuleCache cache;
    private final ModuleRequest request;
    private final Cubin known;
    private final int stackBytes;
    private final Runnable onDone;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /// Outcome, published by the state [State#DONE]: an image, or the reason for the refusal.
    private ModuleImage image;

    private long descriptionBytes;
    private CudaCallException refusal;

    /// @param known module of a known image; null if the image has to be read
    /// @param stackBytes bytes of a thread's stack
    /// @param onDone called when the outcome is known, on the reader's thread
    ModuleReading(
            ModuleCache cache,
            ModuleRequest request,
            Cubin known,
            int stackBytes,
            Runnable onDone) {
        this.cache = cache;
        this.request = request;
        this.known = known;
        this.stackBytes = stackBytes;
        this.onDone = onDone;
    }

    @Override
    public void run() {
        if (!state.compareAndSet(State.WAITING, State.COPYING)) {
            return;
        }
        try {
            Cubin cubin = known == null ? read() : known;
            image = ModuleImage.of(cubin, stackBytes);
            descriptionBytes = ModuleDescriptions.of(image).bytes();
        } catch (CudaCallException e) {
            refusal = e;
        } catch (CubinException e) {
            refusal = new CudaCallException(ResultMapping.of(e), e.getMessage());
        } catch (ModuleException e) {
            refusal = new CudaCallException(CudaResult.INVALID_IMAGE, e.getMessage());
        } catch (OutOfMemoryError _) {
            refusal =
                    new CudaCallException(
                            CudaResult.OUT_OF_MEMORY,
                            "image bytes=%d, too large for the heap"
                                    .formatted(request.image().byteSize()));
        } catch (RuntimeException | Error e) {
            LOG.error("internal error, module not loaded", e);
            refusal = new CudaCallException(CudaResult.UNKNOWN, "internal error");
        } finally {
            state.set(State.DONE);
            onDone.run();
        }
    }

    private Cubin read() {
        byte[] copy = copy();
        state.set(State.PARSING);
        return cache.read(copy, request.hash());
    }

    private byte[] copy() {
        MemorySegment shared = request.image();
        byte[] copy = new byte[(int) shared.byteSize()];
        try {
            MemorySegment.copy(shared, ValueLayout.JAVA_BYTE, 0, copy, 0, copy.length);
        } catch (IllegalStateException _) {
            throw new CudaCallException(
                    CudaResult.DEVICE_UNAVAILABLE, "session has ended, expected a session");
        }
        return copy;
    }

    /// Ends the reading, if it has not begun.
    void cancel() {
        state.compareAndSet(State.WAITING, State.DONE);
    }

    boolean isDone() {
        return state.get() == State.DONE;
    }

    /// Returns whether the reading no longer reads the data area.
    boolean isAreaFree() {
        State now = state.get();
        return now == State.PARSING || now == State.DONE;
    }

    /// Returns the length of the description. Called after [#image()].
    long descriptionBytes() {
        return descriptionBytes;
    }

    /// Returns the image. Called after [#isDone()].
    ///
    /// @throws CudaCallException if the module is refused
    ModuleImage image() {
        if (refusal != null) {
            throw refusal;
        }
        return image;
    }
}
