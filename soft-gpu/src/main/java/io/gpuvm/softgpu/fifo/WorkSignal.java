package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Doorbells on their way from the register thread to the engine thread: one bit per channel, set
/// without waiting, and a wake-up when the engine thread sleeps ([Parking]).
///
/// What the register thread wrote before a kick the engine thread sees after taking it.
final class WorkSignal {
    /// Words of [Long#SIZE] channels.
    static final int WORDS = Pfifo.CHANNELS / Long.SIZE;

    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] kicked = new long[WORDS];
    private volatile boolean nudged;
    private volatile Parking engineThread = new Parking(new ThreadWait());

    /// Register thread: a channel may have work.
    void kick(int channel) {
        BITS.getAndBitwiseOr(kicked, channel / Long.SIZE, 1L << channel);
        engineThread.wakeAfterFence();
    }

    /// Register thread: any channel may have work.
    void kickAll() {
        for (int word = 0; word < WORDS; word++) {
            BITS.setVolatile(kicked, word, -1L);
        }
        engineThread.wakeAfterFence();
    }

    /// Register thread: a channel that waits may go on. Nobody has new work.
    void nudge() {
        nudged = true;
        engineThread.wakeAfterFence();
    }

    /// Where the engine thread sleeps.
    void wakes(Parking thread) {
        engineThread = thread;
    }

    /// Engine thread: takes the kicks of channels `Long.SIZE * word` and up.
    long take(int word) {
        return kicked[word] == 0 ? 0 : (long) BITS.getAndSet(kicked, word, 0L);
    }

    /// Engine thread: is about to look at every channel, so a nudge has served its purpose.
    void takeNudge() {
        if (nudged) {
            nudged = false;
        }
    }

    /// Whether the register thread has left word.
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
