package io.gpuvm.remote.session;

/// Call that writes to the data area, until the bytes have been sent.
final class Transfer {
    private final AreaBox box = new AreaBox();
    private long call;
    private boolean isLimitedByResult;
    private boolean isSilent;
    private boolean isUnanswered;
    private boolean isDone;

    void begin(long number, CudaTransfers transfers, boolean silent, boolean unanswered) {
        call = number;
        box.set(transfers.output());
        isLimitedByResult = transfers.isLimitedByResult();
        isSilent = silent;
        isUnanswered = unanswered;
        isDone = false;
    }

    /// Returns the number of the call.
    long call() {
        return call;
    }

    /// Returns the part that the call writes.
    AreaBox box() {
        return box;
    }

    /// Returns whether the first result of the call is the number of bytes.
    boolean isLimitedByResult() {
        return isLimitedByResult;
    }

    /// Returns whether the program expects no completion.
    boolean isSilent() {
        return isSilent;
    }

    /// Returns whether the backend writes no completion, either, so that only the retired word
    /// tells of the end of the call.
    boolean isUnanswered() {
        return isUnanswered;
    }

    /// Returns whether the bytes have been sent, or will not be.
    boolean isDone() {
        return isDone;
    }

    void end() {
        isDone = true;
    }
}
