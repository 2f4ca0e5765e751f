package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Fences;

/// Point in a stream, for waits without a thread: the end of the work that was submitted when the
/// point was taken. Immutable, and independent of later work; needs no memory of the GPU. Any
/// thread.
public final class GpuPoint {
    private final GpuContext context;
    private final CommandQueue queue;
    private final long number;

    GpuPoint(GpuContext context, CommandQueue queue, long number) {
        this.context = context;
        this.queue = queue;
        this.number = number;
    }

    /// Returns whether all work before the point is done. Does not wait.
    ///
    /// @throws GpuException the error of earlier work that failed on any stream of the context
    public boolean isDone() {
        boolean done = queue.isDone(number);
        // A kernel's error is reported before the channel resumes.
        context.check();
        return done;
    }

    /// Requests that the transport reports an event when the point is reached
    /// ([io.gpuvm.pv.transport.GpuTransport#awaitNews]). Does not wait.
    ///
    /// @throws GpuException as [#isDone()]
    public void requestNews() {
        if (!queue.isDone(number)) {
            queue.tryInterruptBehind(number);
        }
    }

    /// Makes a queue, whose lock the caller holds, wait for the point.
    ///
    /// @return number of the submission, 0 if there is nothing to wait for
    long await(GpuContext user, CommandQueue waiting) {
        if (user != context) {
            throw new GpuException(GpuError.INVALID_HANDLE, "point belongs to another context");
        }
        // A fence that is done must not be awaited: after 2^31 more submissions, it would appear to
        // be pending.
        if (waiting == queue || queue.isDone(number)) {
            return 0;
        }
        Fences.acquire(waiting.begin(Fences.WORDS), queue.fenceGpuVa(), (int) number);
        return waiting.submit();
    }
}
