package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.CallChecks.guarded;

import java.util.concurrent.TimeUnit;

/// Calls for events. Methods throw [CudaCallException] if the call is refused.
final class EventCalls {
    /// Flags of `cuEventCreate`.
    private static final int EVENT_FLAGS = 0x7;

    private static final float NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SessionObjects objects;
    private final SessionContexts contexts;

    EventCalls(SessionObjects objects, SessionContexts contexts) {
        this.objects = objects;
        this.contexts = contexts;
    }

    void create(long context, long event, int flags) {
        ExecutorContext owner = objects.context(context);
        objects.events().checkFree(event);
        CallChecks.flags("event", flags, EVENT_FLAGS);
        boolean isTimed = (flags & CudaExecutor.DISABLE_TIMING) == 0;
        objects.events().put(event, new ExecutorEvent(owner, isTimed));
    }

    void destroy(long event) {
        objects.events().remove(event).close();
    }

    void record(long call, long event, long stream) {
        ExecutorStream recorded = objects.stream(stream);
        ExecutorEvent changed = objects.events().get(event);
        if (changed.context() != recorded.context()) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE,
                    "event is of another context, expected an event of the stream's context");
        }
        contexts.checkRoomForOperation();
        RecordOperation operation = new RecordOperation(call, changed, changed.newRecording());
        recorded.context().act(recorded, operation);
    }

    void await(long call, long stream, long event) {
        ExecutorStream waiting = objects.stream(stream);
        EventRecording recording = objects.events().get(event).last();
        contexts.checkRoomForOperation();
        if (recording != null) {
            waiting.context().act(waiting, new WaitOperation(call, recording));
        }
    }

    void synchronize(long event, CallReply reply) {
        ExecutorEvent awaited = objects.event(event);
        if (isDone(awaited)) {
            reply.complete(CudaResult.SUCCESS);
        } else {
            awaited.last().notifyWhenDone(reply);
        }
    }

    CudaResult query(long event) {
        return isDone(objects.event(event)) ? CudaResult.SUCCESS : CudaResult.NOT_READY;
    }

    void readElapsedTime(long start, long end, CallReply reply) {
        ExecutorEvent first = timed(start);
        ExecutorEvent last = timed(end);
        if (!isDone(first) || !isDone(last)) {
            throw new CudaCallException(
                    CudaResult.NOT_READY, "event is not done, expected done events");
        }
        long ns = guarded(last.context(), () -> last.time().elapsedNsSince(first.time()));
        int bits = Float.floatToRawIntBits(ns / NS_PER_MS);
        reply.complete(CudaResult.SUCCESS, Integer.toUnsignedLong(bits), 0);
    }

    private ExecutorEvent timed(long handle) {
        ExecutorEvent event = objects.event(handle);
        if (!event.isTimed()) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE, "event has no times, expected an event with times");
        }
        if (!event.isRecorded()) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE,
                    "event was never recorded, expected a recorded event");
        }
        return event;
    }

    /// Returns whether the last recording of an event is done; true if there is none.
    private static boolean isDone(ExecutorEvent event) {
        boolean isDone = event.last() == null || event.last().isDone();
        // A kernel's error is reported before the channel resumes.
        event.context().check();
        return isDone;
    }
}
