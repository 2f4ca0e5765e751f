package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Preparation of an upload on the thread of a [ModuleReader]. The executor's thread polls its end,
/// also after an error of any kind: an upload without a preparation must not continue.
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /// True once the work has ended, or [#failure] is known.
    private volatile boolean isDone;

    /// Failure of the work, which [#isDone] publishes; null if there is none.
    private RuntimeException failure;

    /// Runs the work. Called once, on the reader's thread.
    ///
    /// @param onDone called when [#isDone()] no longer returns false
    void run(Runnable work, Runnable onDone) {
        try {
            work.run();
        } catch (GpuException e) {
            failure = e;
        } catch (OutOfMemoryError e) {
            failure = new GpuException(GpuError.OUT_OF_MEMORY, "no memory for the image", e);
        } catch (RuntimeException | Error e) {
            LOG.error("internal error, module not loaded", e);
            failure = new CudaCallException(CudaResult.UNKNOWN, "internal error");
        } finally {
            isDone = true;
            onDone.run();
        }
    }

    /// Returns whether the work has succeeded; false while it runs.
    ///
    /// @throws GpuException if the GPU or the image refused it
    /// @throws CudaCallException after an internal error
    boolean isDone() {
        if (!isDone) {
            return false;
        }
        if (failure != null) {
            throw failure;
        }
        return true;
    }
}
