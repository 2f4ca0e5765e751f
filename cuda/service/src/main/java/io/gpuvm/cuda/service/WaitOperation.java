package io.gpuvm.cuda.service;

/// Wait of a stream for the recording of an event.
final class WaitOperation extends StreamOperation {
    private final EventRecording recording;

    WaitOperation(long call, EventRecording recording) {
        super(call);
        this.recording = recording;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (recording.isDone()) {
            return true;
        }
        // The GPU cannot read the fences of another context's address space.
        if (!recording.isSubmitted()
                || recording.context() != stream.context()
                || !stream.gpu().hasRoom()) {
            return false;
        }
        stream.gpu().await(recording.point());
        return true;
    }
}
