package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/// Guest that copies data to the GPU and back without a pause, on a separate thread, and verifies
/// the data.
final class HonestPvGuest implements AutoCloseable {
    private static final int BYTES = 100_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(1);

    private final Thread thread;
    private volatile int rounds;
    private volatile Throwable noticed;
    private volatile boolean stopped;

    private HonestPvGuest(Path socket, long seed) {
        thread = Thread.ofPlatform().name("honest").daemon().unstarted(() -> verify(socket, seed));
    }

    /// @param seed seed of the data
    static HonestPvGuest start(Path socket, long seed) {
        HonestPvGuest guest = new HonestPvGuest(socket, seed);
        guest.thread.start();
        return guest;
    }

    /// Waits until the guest has completed a round that began after this call.
    void awaitRound() {
        int last = rounds + 2;
        long start = System.nanoTime();
        while (rounds - last < 0 && thread.isAlive()) {
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), "the honest guest hangs");
            pause();
        }
        requireUnharmed();
    }

    /// Runs one last round, and waits for its end.
    @Override
    public void close() {
        stopped = true;
        try {
            assertTrue(thread.join(LIMIT), "the honest guest hangs");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        requireUnharmed();
    }

    private void requireUnharmed() {
        if (noticed != null) {
            throw new AssertionError("the honest guest failed: " + noticed, noticed);
        }
    }

    private void verify(Path socket, long seed) {
        try (GpuContext context = GpuContext.open(PvTransport.connect(socket))) {
            Random random = new Random(seed);
            byte[] there = new byte[BYTES];
            byte[] back = new byte[BYTES];
            boolean last;
            do {
                last = stopped;
                random.nextBytes(there);
                try (DeviceMemory memory = context.allocate(BYTES)) {
                    context.defaultStream().copyToDevice(memory, 0, MemorySegment.ofArray(there));
                    context.defaultStream().copyToHost(MemorySegment.ofArray(back), memory, 0);
                    assertArrayEquals(there, back);
                }
                rounds++; // written by this thread only
            } while (!last);
        } catch (RuntimeException | Error e) {
            noticed = e;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(STEP);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
