package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuEvent;
import io.gpuvm.pv.runtime.GpuStream;

/// Event of a client.
final class ExecutorEvent {
    private final ExecutorContext context;
    private final boolean isTimed;

    /// Last recording; null if the event was never recorded.
    private EventRecording last;

    /// Memory for the time; null before the first recording.
    private GpuEvent time;

    private boolean closed;

    ExecutorEvent(ExecutorContext context, boolean isTimed) {
        this.context = context;
        this.isTimed = isTimed;
    }

    ExecutorContext context() {
        return context;
    }

    boolean isTimed() {
        return isTimed;
    }

    /// Returns the last recording, or null if the event was never recorded.
    EventRecording last() {
        return last;
    }

    /// Returns whether the event has a recording that did not fail.
    boolean isRecorded() {
        return last != null && !last.isCancelled();
    }

    /// Returns the event with the time of the last recording, which is done.
    GpuEvent time() {
        return last.time();
    }

    EventRecording newRecording() {
        last = new EventRecording(context);
        return last;
    }

    /// Returns whether a recording has to wait, because it needs memory and many releases of memory
    /// are pending.
    ///
    /// @param position position of the recording's operation
    boolean mustWait(long position) {
        return needsTime() && MemoryWait.mustWait(context, context.releases(), position);
    }

    private boolean needsTime() {
        // An event with a pending recording would make the stream wait for that recording.
        return isTimed && !closed && (time == null || !time.isDone());
    }

    /// Submits a recording to a stream that has room.
    void record(EventRecording recording, GpuStream stream) {
        if (!isTimed || closed) {
            recording.submitted(stream.point(), null);
            return;
        }
        if (needsTime()) {
            GpuEvent previous = time;
            time = context.gpu().newEvent();
            if (previous != null) {
                previous.close();
            }
        }
        stream.record(time);
        recording.submitted(stream.point(), time);
    }

    /// Frees the memory for the time. Later submissions of recordings have no times, for which no
    /// call can ask any more.
    void close() {
        closed = true;
        if (time != null) {
            time.close();
        }
    }
}
