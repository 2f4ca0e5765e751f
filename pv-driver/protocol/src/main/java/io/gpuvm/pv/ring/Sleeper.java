package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Announcement by one side of a shared area that it sleeps, so that the other side wakes it; see
/// [Doorbell].
///
/// ```java
/// sleeper.announce();
/// if (nothingToDo()) {         // second check, after the announcement
///     wait for the signal;
/// }
/// sleeper.withdraw();
/// ```
///
/// An entry that the other side publishes is either found by the second check or signalled. A side
/// that overwrites the other side's word affects only the wake-ups between the two sides.
public final class Sleeper {
    static final int AWAKE = 0;
    static final int ASLEEP = 1;

    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment memory;
    private final long word;

    Sleeper(MemorySegment memory, long word) {
        memory.asSlice(word, Integer.BYTES);
        this.memory = memory;
        this.word = word;
    }

    /// Announces that this side is about to sleep. The caller must check for work again before it
    /// sleeps.
    public void announce() {
        WORD.setOpaque(memory, word, ASLEEP);
        VarHandle.fullFence();
    }

    /// Returns whether this side has announced that it sleeps, and the doorbell has not rung since.
    /// Needed by a side that cannot receive signals. Any thread.
    public boolean isAnnounced() {
        return (int) WORD.getAcquire(memory, word) != AWAKE;
    }

    /// Announces that this side is awake: it polls for work until it announces the next sleep.
    public void withdraw() {
        WORD.setOpaque(memory, word, AWAKE);
    }
}
