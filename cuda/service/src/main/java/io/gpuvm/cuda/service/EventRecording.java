package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuEvent;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuPoint;
import java.util.ArrayList;
import java.util.List;

/// Recording of an event. Waits refer to the recording, so that a later recording of the same event
/// does not affect them.
final class EventRecording {
    private final ExecutorContext context;

    /// Calls that wait for a recording that is not submitted.
    private final List<CallReply> waiting = new ArrayList<>();

    /// Point of the recording; null until it is submitted.
    private GpuPoint point;

    /// Event with the time of the recording; null for an event without times.
    private GpuEvent time;

    private boolean cancelled;

    EventRecording(ExecutorContext context) {
        this.context = context;
    }

    ExecutorContext context() {
        return context;
    }

    void submitted(GpuPoint at, GpuEvent withTime) {
        point = at;
        time = withTime;
        waiting.forEach(this::notifyAtPoint);
        waiting.clear();
    }

    /// Ends the recording, which is not submitted.
    void cancel(CudaResult result) {
        cancelled = true;
        waiting.forEach(reply -> reply.complete(result));
        waiting.clear();
    }

    /// Completes a call when all work before the recording is done.
    void notifyWhenDone(CallReply reply) {
        if (cancelled) {
            reply.complete(CudaResult.SUCCESS);
        } else if (point == null) {
            waiting.add(reply);
        } else {
            notifyAtPoint(reply);
        }
    }

    private void notifyAtPoint(CallReply reply) {
        context.notifyAt(point, reply);
    }

    boolean isCancelled() {
        return cancelled;
    }

    boolean isSubmitted() {
        return point != null;
    }

    GpuPoint point() {
        return point;
    }

    GpuEvent time() {
        return time;
    }

    /// Returns whether all work before the recording is done, or never will be because its context
    /// has failed or ended.
    boolean isDone() {
        if (cancelled) {
            return true;
        }
        try {
            return point != null && point.isDone();
        } catch (GpuException _) {
            return true;
        }
    }
}
