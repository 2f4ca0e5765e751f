package io.gpuvm.workloads;

import java.util.Arrays;

/// Compares what the GPU computed with what the CPU did, arrays of the same length.
public final class Results {
    private Results() {}

    /// @param what which result, for the message
    /// @throws WrongResultException if any element differs
    public static void requireEqual(String what, int[] found, int[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// As [#requireEqual(String, int[], int[])], bit for bit but for NaNs, which are all the same.
    public static void requireEqual(String what, float[] found, float[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }

    /// As [#requireEqual(String, int[], int[])].
    public static void requireEqual(String what, byte[] found, byte[] expected) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new WrongResultException(what, at, found[at], expected[at]);
        }
    }
}
