package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;

/// Point in a stream. Any thread.
public final class GpuEvent implements AutoCloseable {
    /// Queue and submission of the last recording.
    private record Recording(CommandQueue queue, long number) {}

    private final GpuContext context;
    private final TimeSlots.Slot slot;
    private Recording recording;
    private boolean closed;

    GpuEvent(GpuContext context, TimeSlots.Slot slot) {
        this.context = context;
        this.slot = slot;
    }

    /// Returns whether all work before the event is done; true if the event was never recorded.
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if the event is closed, or the error of
    ///   earlier work that failed
    public boolean isDone() {
        Recording last = recording();
        boolean done = last == null || last.queue.isDone(last.number);
        // A kernel's error is reported before the channel resumes.
        context.check();
        return done;
    }

    /// Waits until all work before the event is done.
    public void synchronize() {
        context.check();
        Recording last = recording();
        if (last != null) {
            last.queue.await(last.number);
        }
    }

    /// Returns the time from an earlier event to this event, in nanoseconds of the GPU's clock.
    /// Both events must be done.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if either event is not done or was never
    ///   recorded
    public long elapsedNsSince(GpuEvent start) {
        return timeNs() - start.timeNs();
    }

    /// Frees the event. A second call has no effect.
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

    /// Records the event at the end of a queue, whose lock the caller holds.
    ///
    /// @return number of the submission
    synchronized long record(GpuContext user, CommandQueue queue) {
        checkUsableIn(user);
        PushBuffer push = queue.begin(2 * Fences.WORDS);
        // The time of an earlier recording on another channel must not be later than this time.
        waitForRecording(push, queue);
        Fences.releaseWithTime(push, slot.gpuVa(), 0);
        recording = new Recording(queue, queue.submit());
        return recording.number;
    }

    /// Makes a queue, whose lock the caller holds, wait for the event.
    ///
    /// @return number of the submission, 0 if there is nothing to wait for
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

    /// Returns whether the given queue has to wait for the recording. A recording that is done must
    /// not be awaited: after 2^31 more submissions, its fence would appear to be pending.
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
