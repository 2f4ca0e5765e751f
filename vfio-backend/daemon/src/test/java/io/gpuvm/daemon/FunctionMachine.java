package io.gpuvm.daemon;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.ServerGoneException;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Client that represents the virtual machine. Reads return all ones after the client or the
/// backend has ended.
final class FunctionMachine implements AutoCloseable {
    /// The client's only thread, to which it is confined.
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    final VfioUserClient client;
    final RegionMap area;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
    private boolean off;

    /// @param socket path of the function's socket
    FunctionMachine(Path socket) {
        client = on(() -> new VfioUserClient(socket).negotiate());
        area = on(() -> client.regionMap(FunctionRegisters.AREA_BAR));
    }

    /// Runs a step on the client's thread.
    private <T> T on(Supplier<T> step) {
        try {
            return CompletableFuture.supplyAsync(step, thread).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    void run(Runnable step) {
        on(() -> {
            step.run();
            return null;
        });
    }

    int read(int bar, long offset, int width) {
        return (int) (long) on(() -> client.read(bar, offset, width));
    }

    long areaBytes() {
        return Integer.toUnsignedLong(read(FunctionRegisters.AREA_LO));
    }

    synchronized int read(int register) {
        if (off) {
            return -1;
        }
        try {
            return read(FunctionRegisters.REGISTER_BAR, register, Integer.BYTES);
        } catch (ServerGoneException _) {
            return -1;
        }
    }

    synchronized void write(int register, int written) {
        if (off) {
            return;
        }
        value.set(ValueLayout.JAVA_INT, 0, written);
        try {
            run(() -> client.write(FunctionRegisters.REGISTER_BAR, register, value, Integer.BYTES));
        } catch (ServerGoneException _) {
            // A write to an absent function has no effect, as on a PCI bus.
        }
    }

    MappedMemory map(long offset, long bytes) {
        return MappedMemory.map(
                area.file().number(), offset, bytes, MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void close() {
        powerOff();
    }

    synchronized void powerOff() {
        if (!off) {
            off = true;
            run(client::close);
            thread.close();
            area.close();
            arena.close();
        }
    }
}
