package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;

/// A point in a stream. Any thread.
public final class GpuEvent implements AutoCloseable {
    /// Where it was recorded last.
    private record Recording(CommandQueue queue, long number) {}

    private final GpuContext context;
    private final TimeSlots.Slot slot;
    private Recording recording;
    private boolean closed;

    GpuEvent(GpuContext context, TimeSlots.Slot slot) {
        this.context = context;
        this.slot = slot;
    }

    /// Whether all work before it is done; true if it was never recorded.
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if it is closed, and what went wrong with
    ///   work before
    public boolean isDone() {
        Recording last = recording();
        boolean done = last == null || last.queue.isDone(last.number);
        // A kernel's error is told before the channel goes on behind it.
        context.check();
        return done;
    }

    /// Waits until all work before it is done.
    public void synchronize() {
        context.check();
        Recording last = recording();
        if (last != null) {
            last.queue.await(last.number);
        }
    }

    /// Nanoseconds of the GPU's clock from an earlier event to this one; both are done.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if one of them is not, or was never recorded
    public long elapsedNsSince(GpuEvent start) {
        return timeNs() - start.timeNs();
    }

    /// A second call does nothing.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        context.freeLater(slot::giveBack);
    }

    /// Records it at the end of a queue, whose lock the caller holds.
    ///
    /// @return the number of the submission
    synchronized long record(GpuContext user, CommandQueue queue) {
        checkUsableIn(user);
        PushBuffer push = queue.begin(2 * Fences.WORDS);
        // The time of a recording on another channel must not come later than this one's.
        waitForRecording(push, queue);
        Fences.releaseWithTime(push, slot.gpuVa(), 0);
        recording = new Recording(queue, queue.submit());
        return recording.number;
    }

    /// Has a queue wait for it, whose lock the caller holds.
    ///
    /// @return the number of the submission, 0 if there is nothing to wait for
    synchronized long await(GpuContext user, CommandQueue queue) {
        checkUsableIn(user);
        if (!isAhead(queue)) {
            return 0;
        }
        waitForRecording(queue.begin(Fences.WORDS), queue);
        return queue.submit();
    }

    private void waitForRecording(PushBuffer push, CommandQueue queue) {
        if (isAhead(queue)) {
            Fences.acquire(push, recording.queue.fenceGpuVa(), (int) recording.number);
        }
    }

    /// Whether a queue has something to wait for. A recording that is long done is not: after 2^31
    /// more submissions its fence would look as if it was still to come.
    private boolean isAhead(CommandQueue queue) {
        return recording != null
                && recording.queue != queue
                && !recording.queue.isDone(recording.number);
    }

    private long timeNs() {
        context.check();
        Recording last = recording();
        if (last == null) {
            throw new GpuException(GpuError.INVALID_VALUE, "event was never recorded");
        }
        if (!last.queue.isDone(last.number)) {
            throw new GpuException(GpuError.INVALID_VALUE, "event is not done");
        }
        return slot.timeNs();
    }

    private synchronized Recording recording() {
        checkUsableIn(context);
        return recording;
    }

    private void checkUsableIn(GpuContext user) {
        if (closed) {
            throw new GpuException(GpuError.INVALID_HANDLE, "event is closed");
        }
        if (user != context) {
            throw new GpuException(GpuError.INVALID_HANDLE, "event belongs to another context");
        }
    }
}
