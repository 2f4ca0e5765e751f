package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.util.function.Supplier;

/// Memory of a context. Memory that is freed while the GPU may use it is released later; an
/// allocation waits for such releases if no other memory is left. Any thread that does not hold a
/// queue's lock.
final class Memories {
    private final GpuTransport transport;
    private final ContextState state;
    private final DeferredFrees frees;
    private final VramHeap heap;

    Memories(GpuTransport transport, ContextState state, CommandQueues queues) {
        this.transport = transport;
        this.state = state;
        frees = new DeferredFrees(queues);
        heap = new VramHeap(transport);
    }

    /// Allocates VRAM.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if `bytes` is less than 1,
    ///   [GpuError#OUT_OF_MEMORY] if not enough VRAM is left
    VramHeap.Taken takeVram(long bytes) {
        return take(bytes, () -> heap.take(bytes));
    }

    /// Allocates whole pages of VRAM.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if `bytes` is less than 1,
    ///   [GpuError#OUT_OF_MEMORY] if not enough VRAM is left
    VramHeap.Taken takePages(long bytes) {
        return take(bytes, () -> heap.takePages(bytes));
    }

    /// Allocates zeroed memory that this process can also access.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if `bytes` is less than 1,
    ///   [GpuError#OUT_OF_MEMORY] if not enough memory is left
    HostMemory takeHost(long bytes) {
        return take(bytes, () -> transport.allocateHost(bytes));
    }

    /// Runs a release once all previously submitted work is done. If the context is unusable, the
    /// release does not run; closing the transport frees all memory.
    void freeLater(Runnable release) {
        if (!state.isClosed() && !state.hasFailed()) {
            frees.add(release);
        }
    }

    private <T> T take(long bytes, Supplier<T> allocation) {
        state.check();
        if (bytes < 1) {
            throw new GpuException(
                    GpuError.INVALID_VALUE, "bytes=%d, expected at least 1".formatted(bytes));
        }
        frees.collect();
        while (true) {
            long freed = frees.freed();
            try {
                return allocation.get();
            } catch (TransportException e) {
                state.check();
                if (!frees.awaitMore(freed)) {
                    throw new GpuException(GpuError.OUT_OF_MEMORY, e.getMessage(), e);
                }
            }
        }
    }
}
