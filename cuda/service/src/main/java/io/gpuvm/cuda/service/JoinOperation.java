package io.gpuvm.cuda.service;

/// Wait of a stream for the operations of another stream of the same context up to a position.
final class JoinOperation extends StreamOperation {
    private final ExecutorStream other;
    private final long position;

    /// @param position number of operations of the other stream
    JoinOperation(ExecutorStream other, long position) {
        super(NO_CALL);
        this.other = other;
        this.position = position;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (other.submitted() < position) {
            return false;
        }
        if (other.gpu().isDone()) {
            return true;
        }
        if (!stream.gpu().hasRoom()) {
            return false;
        }
        stream.gpu().await(other.gpu().point());
        return true;
    }
}
