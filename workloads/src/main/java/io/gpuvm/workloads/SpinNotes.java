package io.gpuvm.workloads;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Results of the kernel `spin`: a flyweight over memory that the GPU writes concurrently.
///
/// @param memory memory of at least [#BYTES] bytes
record SpinNotes(MemorySegment memory) {
    static final int BYTES = 16;

    private static final long BEGIN = 0;
    private static final long PASSED = 8;
    private static final long LOOKS = 12;

    /// Clears the results before a launch.
    void clear() {
        memory.asSlice(0, BYTES).fill((byte) 0);
    }

    /// Returns the start of the kernel, in nanoseconds of the GPU's clock; 0 until the kernel has
    /// started.
    long beginNs() {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, BEGIN);
    }

    /// Returns the time in nanoseconds that the kernel had measured when it ended; 0 until then.
    long passedNs() {
        return Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, PASSED));
    }

    /// Returns the number of times that the kernel read the clock.
    long looks() {
        return Integer.toUnsignedLong(memory.get(ValueLayout.JAVA_INT_UNALIGNED, LOOKS));
    }

    /// @param lengthNs requested length in nanoseconds
    /// @throws WrongResultException if the kernel spun for less time, did not read the clock, or
    ///   has no start time
    void verify(long lengthNs) {
        if (beginNs() <= 0) {
            throw WrongResultException.outOfRange("beginNs", beginNs(), "at least 1");
        }
        if (passedNs() < lengthNs) {
            throw WrongResultException.outOfRange("passedNs", passedNs(), "at least " + lengthNs);
        }
        if (looks() == 0) {
            throw WrongResultException.outOfRange("looks", 0, "at least 1");
        }
    }
}
