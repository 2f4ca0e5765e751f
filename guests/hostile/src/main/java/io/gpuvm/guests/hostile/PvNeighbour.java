package io.gpuvm.guests.hostile;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// Paravirtual guest with work: short copies in sequence, each with a wait for its completion. The
/// guest runs on its own thread, in this process.
final class PvNeighbour implements AutoCloseable {
    private static final long COPY_BYTES = 64 << 10;

    private final Path socket;
    private final AtomicLong copies = new AtomicLong();
    private final Thread thread = Thread.ofPlatform().name("pv-neighbour").unstarted(this::run);
    private volatile boolean running = true;
    private volatile RuntimeException failure;

    private PvNeighbour(Path socket) {
        this.socket = socket;
    }

    /// Starts a thread that connects and copies. [#copies()] reports its failure.
    static PvNeighbour start(Path socket) {
        PvNeighbour neighbour = new PvNeighbour(socket);
        neighbour.thread.start();
        return neighbour;
    }

    /// Returns the number of completed copies. Any thread.
    ///
    /// @throws RuntimeException if the guest has failed; the exception is the cause of the failure
    long copies() {
        if (failure != null) {
            throw failure;
        }
        return copies.get();
    }

    private void run() {
        try (GpuContext context = GpuContext.open(PvTransport.connect(socket));
                DeviceMemory source = context.allocate(COPY_BYTES);
                DeviceMemory target = context.allocate(COPY_BYTES)) {
            GpuStream stream = context.defaultStream();
            while (running) {
                stream.copy(target, 0, source, 0, COPY_BYTES);
                stream.synchronize();
                copies.incrementAndGet();
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
