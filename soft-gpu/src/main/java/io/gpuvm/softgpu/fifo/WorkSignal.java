package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Doorbells from the register thread to the engine thread: one bit per channel, set without
/// waiting, and a wake-up if the engine thread sleeps ([Parking]).
///
/// Writes of the register thread before a kick are visible to the engine thread once that thread
/// has read the kick.
final class WorkSignal {
    /// Number of words with one bit per channel.
    static final int WORDS = Pfifo.CHANNELS / Long.SIZE;

    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] kicked = new long[WORDS];
    private volatile boolean nudged;
    private volatile Parking engineThread = new Parking(new ThreadWait());

    /// Records that a channel may have work. Register thread only.
    void kick(int channel) {
        BITS.getAndBitwiseOr(kicked, channel / Long.SIZE, 1L << channel);
        engineThread.wakeAfterFence();
    }

    /// Records that any channel may have work. Register thread only.
    void kickAll() {
        for (int word = 0; word < WORDS; word++) {
            BITS.setVolatile(kicked, word, -1L);
        }
        engineThread.wakeAfterFence();
    }

    /// Records that a waiting channel may continue, although no channel has new work. Register
    /// thread only.
    void nudge() {
        nudged = true;
        engineThread.wakeAfterFence();
    }

    /// Sets the [Parking] of the engine thread.
    void wakes(Parking thread) {
        engineThread = thread;
    }

    /// Returns and clears the kicks of [Long#SIZE] channels, starting at channel `Long.SIZE *
    /// word`. Engine thread only.
    long take(int word) {
        return kicked[word] == 0 ? 0 : (long) BITS.getAndSet(kicked, word, 0L);
    }

    /// Clears a nudge: the caller is about to check every channel. Engine thread only.
    void takeNudge() {
        if (nudged) {
            nudged = false;
        }
    }

    /// Returns whether a notification of the register thread is pending.
    boolean isPending() {
        if (nudged) {
            return true;
        }
        for (int word = 0; word < WORDS; word++) {
            if ((long) BITS.getVolatile(kicked, word) != 0) {
                return true;
            }
        }
        return false;
    }
}
