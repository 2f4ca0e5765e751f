package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuStream;
import java.util.ArrayDeque;
import java.util.Deque;

/// Stream of a client: operations in order, which the stream submits to the GPU as soon as its
/// queue has room and no host function precedes them.
final class ExecutorStream {
    private final ExecutorContext context;
    private final GpuStream gpu;
    private final boolean isBlocking;
    private final Deque<StreamOperation> pending = new ArrayDeque<>();

    /// True if the stream is in its context's list of streams with pending operations.
    private boolean isBusy;

    /// Number of operations that were added.
    private long added;

    /// Number of operations up to the last operation that concerns the legacy default stream.
    private long lastAction;

    /// Position in the legacy default stream for which this stream waits.
    private long joined;

    /// Position in this stream for which the legacy default stream waits.
    private long joinedByLegacy;

    /// @param isBlocking whether the stream synchronizes with the legacy default stream
    ExecutorStream(ExecutorContext context, GpuStream gpu, boolean isBlocking) {
        this.context = context;
        this.gpu = gpu;
        this.isBlocking = isBlocking;
    }

    ExecutorContext context() {
        return context;
    }

    GpuStream gpu() {
        return gpu;
    }

    /// Returns whether the context knows that operations are pending.
    boolean isBusy() {
        return isBusy;
    }

    void setBusy(boolean busy) {
        isBusy = busy;
    }

    boolean isBlocking() {
        return isBlocking;
    }

    long lastAction() {
        return lastAction;
    }

    /// Records that the last operation is an action, for which the legacy default stream or the
    /// blocking streams wait.
    void acted() {
        lastAction = added;
    }

    /// Returns the position in the legacy default stream for which this stream waits.
    long joined() {
        return joined;
    }

    void setJoined(long position) {
        joined = position;
    }

    /// Returns the position in this stream for which the legacy default stream waits.
    long joinedByLegacy() {
        return joinedByLegacy;
    }

    void setJoinedByLegacy(long position) {
        joinedByLegacy = position;
    }

    /// Returns the number of operations that are submitted.
    long submitted() {
        return added - pending.size();
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /// Returns the position of the oldest pending operation in the context.
    long oldestSequence() {
        return pending.getFirst().sequence();
    }

    /// Returns whether all operations are done.
    ///
    /// @throws GpuException if the context has failed
    boolean isIdle() {
        return pending.isEmpty() && gpu.isDone();
    }

    /// Adds an operation.
    ///
    /// @throws CudaCallException if the operation fails at once
    void add(StreamOperation operation) {
        if (pending.isEmpty()) {
            try {
                if (operation.submit(this)) {
                    added++;
                    return;
                }
            } catch (GpuException e) {
                CudaCallException refusal = context.refusal(e);
                operation.cancel(refusal.result());
                throw refusal;
            }
        }
        added++;
        pending.addLast(operation);
        context.onPending(this, operation);
    }

    /// Counts an operation that the caller has submitted.
    void addSubmitted() {
        added++;
    }

    /// Submits pending operations.
    ///
    /// @return number of operations that are submitted completely
    int pump() {
        int count = 0;
        while (!pending.isEmpty() && advance(pending.getFirst())) {
            pending.removeFirst();
            count++;
        }
        return count;
    }

    private boolean advance(StreamOperation operation) {
        try {
            return operation.submit(this);
        } catch (GpuException e) {
            context.failLater(operation, e);
            return true;
        }
    }

    /// Ends all pending operations.
    ///
    /// @return number of operations
    int cancelPending(CudaResult result) {
        int count = pending.size();
        while (!pending.isEmpty()) {
            pending.removeFirst().cancel(result);
        }
        return count;
    }
}
