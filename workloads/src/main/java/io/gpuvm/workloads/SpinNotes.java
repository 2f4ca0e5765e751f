package io.gpuvm.workloads;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the kernel `spin` writes: a view on memory that the GPU writes to meanwhile.
///
/// @param memory at least [#BYTES]
record SpinNotes(MemorySegment memory) {
    static final int BYTES = 16;

    private static final long BEGIN = 0;
    private static final long PASSED = 8;
    private static final long LOOKS = 12;

    /// Before a launch: it has told nothing.
    void clear() {
        memory.asSlice(0, BYTES).fill((byte) 0);
    }

    /// When it began, in nanoseconds of the GPU's clock; 0 until it has.
    long beginNs() {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, BEGIN);
    }

    /// Nanoseconds that it had seen pass when it ended; 0 until then.
    long passedNs() {
        return Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, PASSED));
    }

    /// How often it looked at the clock.
    long looks() {
        return Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, LOOKS));
    }

    /// @param lengthNs how long it was to spin
    /// @throws WrongResultException if it did not, did not look, or does not know when it began
    void verify(long lengthNs) {
        if (beginNs() <= 0) {
            throw new WrongResultException("begin", 0, beginNs(), "a time");
        }
        if (passedNs() < lengthNs) {
            throw new WrongResultException("passed", 0, passedNs(), "at least " + lengthNs);
        }
        if (looks() == 0) {
            throw new WrongResultException("looks", 0, 0, "at least 1");
        }
    }
}
