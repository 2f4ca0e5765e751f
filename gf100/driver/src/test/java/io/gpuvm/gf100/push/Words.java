package io.gpuvm.gf100.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Push buffer, and the words written to it.
final class Words {
    private final MemorySegment memory;
    private final PushBuffer push;

    Words(int words) {
        memory = Arena.ofAuto().allocate((long) words * Integer.BYTES, Integer.BYTES);
        push = new PushBuffer(memory);
    }

    PushBuffer push() {
        return push;
    }

    /// Returns all words before the position of the next word.
    int[] written() {
        return memory.asSlice(0, push.position()).toArray(ValueLayout.JAVA_INT);
    }
}
