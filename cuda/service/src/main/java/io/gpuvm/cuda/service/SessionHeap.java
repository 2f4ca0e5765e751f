package io.gpuvm.cuda.service;

/// Memory that the objects of one session use of the [HeapBudget] of its virtual machine. Confined
/// to the poller.
final class SessionHeap {
    /// Estimate of the memory of an event or a texture reference.
    static final int OBJECT_BYTES = 512;

    /// Estimate of the memory of a stream without pending operations.
    static final int STREAM_BYTES = 1024;

    /// Estimate of the memory of a pending operation.
    static final int OPERATION_BYTES = 512;

    /// Estimate of the memory of an allocation of VRAM.
    static final int ALLOCATION_BYTES = 512;

    /// Estimate of the memory of a kernel, a variable or a parameter of a module.
    static final int MODULE_PART_BYTES = 512;

    private final HeapBudget budget;
    private long used;

    SessionHeap(HeapBudget budget) {
        this.budget = budget;
    }

    /// Checks that memory is left.
    ///
    /// @param name name of the object that needs it
    /// @throws CudaCallException [CudaResult#OUT_OF_MEMORY] if less is left
    void check(String name, long bytes) {
        long available = budget.available(used);
        if (bytes > available) {
            throw new CudaCallException(
                    CudaResult.OUT_OF_MEMORY,
                    "%s: memory for objects of the session, bytes=%d, limit=%d"
                            .formatted(name, used + bytes, used + available));
        }
    }

    /// Counts memory. Called after [#check].
    void take(long bytes) {
        budget.change(used, used + bytes);
        used += bytes;
    }

    /// Counts memory as free.
    void giveBack(long bytes) {
        take(-bytes);
    }

    /// Counts all memory as free. No other method may be called afterwards.
    void close() {
        giveBack(used);
    }
}
