package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.util.function.Supplier;

/// Memory of a context. Memory that is freed while the GPU may use it is released later; if no
/// other memory is left, an allocation waits for such releases, unless the context's settings
/// exclude waiting. Any thread that does not hold a queue's lock.
final class Memories {
    /// Maximum number of releases that a call runs in a context without waits, whose calls return
    /// soon.
    private static final int RELEASES_WITHOUT_WAITS = 256;

    private final GpuTransport transport;
    private final ContextState state;
    private final DeferredFrees frees;
    private final VramHeap heap;
    private final boolean waits;

    /// VRAM at addresses of the settings' allocator; null if the transport chooses addresses.
    private final AddressedVram addressed;

    Memories(
            GpuTransport transport,
            ContextState state,
            CommandQueues queues,
            ContextSettings settings) {
        this.transport = transport;
        this.state = state;
        waits = settings.waitsForMemory();
        frees = new DeferredFrees(queues, waits ? Integer.MAX_VALUE : RELEASES_WITHOUT_WAITS);
        GpuAddresses addresses = settings.deviceAddresses();
        addressed = addresses == null ? null : new AddressedVram(transport, addresses);
        heap = new VramHeap(addressed == null ? transport::allocateVram : addressed);
    }

    /// Ends the use of shared addresses. Called after the transport is closed.
    void end() {
        if (addressed != null) {
            addressed.giveBackAddresses();
        }
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

    /// Returns the number of bytes of VRAM that are left.
    long freeVramBytes() {
        state.check();
        frees.collect();
        try {
            return transport.freeVramBytes() + heap.freeBytes();
        } catch (TransportException e) {
            state.check();
            throw state.lost(e);
        }
    }

    /// Returns the numbers of all releases up to now, after running those that are possible; in a
    /// context without waits, some of them.
    Releases releases() {
        frees.collect();
        Releases known = frees.releases();
        return new Releases(known.requested(), known.done() - transport.pendingFrees());
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
                if (!waits || !frees.awaitMore(freed)) {
                    throw new GpuException(GpuError.OUT_OF_MEMORY, e.getMessage(), e);
                }
            }
        }
    }
}
