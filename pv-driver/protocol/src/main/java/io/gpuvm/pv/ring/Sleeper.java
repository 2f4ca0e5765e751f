package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// How one side of a shared area says that it sleeps, so that the other wakes it; see [Doorbell].
///
/// ```java
/// sleeper.announce();
/// if (nothingToDo()) {         // looked at again, after the announcement
///     wait for the signal;
/// }
/// sleeper.withdraw();
/// ```
///
/// Whatever the other side publishes is either found by the look in between, or signalled. A word
/// that the other side overwrites costs itself a wake-up.
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

    /// Says that this side is about to sleep. Look for work once more before doing so.
    public void announce() {
        WORD.setOpaque(memory, word, ASLEEP);
        VarHandle.fullFence();
    }

    /// Whether nobody has rung since [#announce()]; for a side that no signal reaches. Any thread.
    public boolean isAnnounced() {
        return (int) WORD.getAcquire(memory, word) != AWAKE;
    }

    /// Says that this side is awake: it looks for work by itself until it announces the next sleep.
    public void withdraw() {
        WORD.setOpaque(memory, word, AWAKE);
    }
}
