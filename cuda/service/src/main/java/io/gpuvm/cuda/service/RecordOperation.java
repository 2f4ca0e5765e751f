package io.gpuvm.cuda.service;

/// Recording of an event.
final class RecordOperation extends StreamOperation {
    private final ExecutorEvent event;
    private final EventRecording recording;

    RecordOperation(long call, ExecutorEvent event, EventRecording recording) {
        super(call);
        this.event = event;
        this.recording = recording;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (!stream.gpu().hasRoom() || event.mustWait(sequence())) {
            return false;
        }
        event.record(recording, stream.gpu());
        return true;
    }

    @Override
    void cancel(CudaResult result) {
        recording.cancel(result);
    }
}
