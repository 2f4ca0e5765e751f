package io.gpuvm.workloads;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Compares what the GPU computed with what the CPU did, of the same length.
final class Results {
    private Results() {}

    /// @param what which result, for the message
    /// @throws WrongResultException if any element differs
    static void requireEqual(String what, int[] found, int[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// As [#requireEqual(String, int[], int[])], bit for bit but for NaNs, which are all the same.
    static void requireEqual(String what, float[] found, float[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// As [#requireEqual(String, int[], int[])], byte by byte.
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
