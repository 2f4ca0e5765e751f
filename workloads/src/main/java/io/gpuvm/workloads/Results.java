package io.gpuvm.workloads;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Comparison of results of the GPU with results of the CPU that have the same length.
final class Results {
    private Results() {}

    /// @param what name of the result, for the message
    /// @throws WrongResultException if any element differs
    static void requireEqual(String what, int[] found, int[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// Compares as [#requireEqual(String, int[], int[])] does, bit by bit except that all NaNs are
    /// equal.
    static void requireEqual(String what, float[] found, float[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// Compares as [#requireEqual(String, int[], int[])] does, byte by byte.
    static void requireEqual(String what, MemorySegment found, MemorySegment expected) {
        long at = found.mismatch(expected);
        if (at >= 0) {
            throw new WrongResultException(
                    what,
                    at,
                    found.get(ValueLayout.JAVA_BYTE, at),
                    expected.get(ValueLayout.JAVA_BYTE, at));
        }
    }
}
