package io.gpuvm.cuda.service;

/// Operation of a stream, which the stream submits to the GPU in order.
abstract class StreamOperation {
    /// Number of the call of an operation that the executor adds.
    static final long NO_CALL = 0;

    private final long call;

    /// Position among all operations of the context; [MemoryWait#AFTER_ALL] until the operation
    /// becomes pending.
    private long sequence = MemoryWait.AFTER_ALL;

    /// @param call number of the client's call, or [#NO_CALL]
    StreamOperation(long call) {
        this.call = call;
    }

    long call() {
        return call;
    }

    long sequence() {
        return sequence;
    }

    void setSequence(long position) {
        sequence = position;
    }

    /// Submits the operation, or as much as possible without waiting. Called again until the result
    /// is true.
    ///
    /// @return whether the operation is submitted completely, so that the next operation may follow
    /// @throws io.gpuvm.pv.runtime.GpuException if the operation fails; it then ends
    abstract boolean submit(ExecutorStream stream);

    /// Ends the operation, which fails or whose context has ended.
    ///
    /// @param result result for waiting calls
    void cancel(CudaResult result) {}
}
