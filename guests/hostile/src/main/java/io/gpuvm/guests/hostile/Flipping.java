package io.gpuvm.guests.hostile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Thread that writes two words alternately to the same address, as fast as possible.
final class Flipping implements AutoCloseable {
    private final Thread thread;
    private volatile boolean running = true;

    Flipping(MemorySegment memory, long offset, long one, long other) {
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("flipping")
                        .start(() -> {
                            while (running) {
                                memory.set(ValueLayout.JAVA_LONG, offset, one);
                                Thread.onSpinWait();
                                memory.set(ValueLayout.JAVA_LONG, offset, other);
                                Thread.onSpinWait();
                            }
                        });
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
