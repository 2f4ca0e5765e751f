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
/// executor's thread polls and takes the result.
final class ModuleReading implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleReading.class);

    private enum State {
        WAITING,
        COPYING,
        PARSING,
        DONE,
        /// The result is taken, or no longer wanted.
        TAKEN
    }

    private final ModuleCache cache;
    private final ModuleRequest request;

    /// Module of a known image; null if the image has to be read, or has been read.
    private Cubin known;

    private final int stackBytes;
    private final Runnable onDone;
    private final Runnable onTaken;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /// True if no thread will take the result.
    private volatile boolean cancelled;

    /// Result, published by the state [State#DONE]: an image, or the reason for the refusal.
    private ModuleImage image;

    private long partBytes;
    private long descriptionBytes;
    private CudaCallException refusal;

    /// @param known module of a known image; null if the image has to be read
    /// @param stackBytes bytes of a thread's stack
    /// @param onDone called when the result is known, on the reader's thread
    /// @param onTaken called when the result is taken or will not be taken, on any thread
    ModuleReading(
            ModuleCache cache,
            ModuleRequest request,
            Cubin known,
            int stackBytes,
            Runnable onDone,
            Runnable onTaken) {
        this.cache = cache;
        this.request = request;
        this.known = known;
        this.stackBytes = stackBytes;
        this.onDone = onDone;
        this.onTaken = onTaken;
    }

    @Override
    public void run() {
        if (!state.compareAndSet(State.WAITING, State.COPYING)) {
            onTaken.run();
            return;
        }
        try {
            Cubin cubin = known == null ? read() : known;
            known = null;
            image = ModuleImage.of(cubin, stackBytes);
            long parts = ModuleParts.of(image);
            if (parts > ModuleParts.LIMIT) {
                throw new CudaCallException(
                        CudaResult.INVALID_IMAGE,
                        "module: kernels, variables, parameters and textures=%d, limit=%d"
                                .formatted(parts, ModuleParts.LIMIT));
            }
            partBytes = ModuleParts.bytesOf(image);
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
            if (cancelled) {
                release();
            }
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

    /// Forgets the result, and ends the reading if it has not begun.
    void cancel() {
        cancelled = true;
        if (!state.compareAndSet(State.WAITING, State.TAKEN)) {
            release();
        }
    }

    /// Forgets the result, unless it is not known yet or is taken.
    private void release() {
        if (state.compareAndSet(State.DONE, State.TAKEN)) {
            image = null;
            onTaken.run();
        }
    }

    boolean isDone() {
        return state.get() == State.DONE;
    }

    /// Returns whether the reading no longer reads the data area.
    boolean isAreaFree() {
        State now = state.get();
        return now == State.PARSING || now == State.DONE || now == State.TAKEN;
    }

    /// Returns the length of the description. Called after [#take()].
    long descriptionBytes() {
        return descriptionBytes;
    }

    /// Returns the memory of the module's parts. Called after [#take()].
    long partBytes() {
        return partBytes;
    }

    /// Takes the image. Called once, after [#isDone()].
    ///
    /// @throws CudaCallException if the module is refused
    ModuleImage take() {
        ModuleImage taken = image;
        release();
        if (refusal != null) {
            throw refusal;
        }
        return taken;
    }
}
