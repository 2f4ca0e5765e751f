package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Doorbell by which one side of a shared area wakes the other side if it sleeps; see [Sleeper].
/// Any thread.
///
/// Ringing costs a fence and a load while the other side is awake. If several threads ring while
/// the other side sleeps, only one of them signals.
public final class Doorbell {
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment memory;
    private final long word;
    private final Runnable signal;

    Doorbell(MemorySegment memory, long word, Runnable signal) {
        memory.asSlice(word, Integer.BYTES);
        this.memory = memory;
        this.word = word;
        this.signal = signal;
    }

    /// Ensures that the other side finds all entries that this thread has published.
    ///
    /// @return whether the other side had to be woken
    public boolean ring() {
        VarHandle.fullFence();
        if ((int) WORD.getOpaque(memory, word) == Sleeper.AWAKE
                || (int) WORD.getAndSet(memory, word, Sleeper.AWAKE) == Sleeper.AWAKE) {
            return false;
        }
        signal.run();
        return true;
    }
}
