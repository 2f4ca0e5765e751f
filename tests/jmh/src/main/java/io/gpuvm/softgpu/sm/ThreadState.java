package io.gpuvm.softgpu.sm;

import java.util.Arrays;

/// Values of the threads of a block, four per thread.
///
/// @param a integers
/// @param b integers
/// @param f floats
/// @param g floats
record ThreadState(int[] a, int[] b, float[] f, float[] g) {
    /// Number of words per thread.
    static final int WORDS = 4;

    /// Returns the initial values, which are the same in each call and differ between threads.
    static ThreadState of(int threads) {
        ThreadState state =
                new ThreadState(
                        new int[threads], new int[threads], new float[threads], new float[threads]);
        for (int t = 0; t < threads; t++) {
            state.a[t] = t;
            state.b[t] = -t;
            state.f[t] = 1f + t;
            state.g[t] = 1f / (1 + t);
        }
        return state;
    }

    /// Returns the values in a kernel's layout, thread by thread.
    int[] words() {
        int[] words = new int[WORDS * a.length];
        for (int t = 0; t < a.length; t++) {
            words[WORDS * t] = a[t];
            words[WORDS * t + 1] = b[t];
            words[WORDS * t + 2] = Float.floatToRawIntBits(f[t]);
            words[WORDS * t + 3] = Float.floatToRawIntBits(g[t]);
        }
        return words;
    }

    /// Fails unless a kernel computed the same values.
    ///
    /// @param words words of all threads, in the layout of [#words()]
    void requireEqual(String what, int[] words) {
        int[] expected = words();
        int differing = Arrays.mismatch(expected, words);
        if (differing >= 0) {
            throw new IllegalStateException(
                    "%s: thread=%d word=%d value=%#x, expected=%#x"
                            .formatted(
                                    what,
                                    differing / WORDS,
                                    differing % WORDS,
                                    words[differing],
                                    expected[differing]));
        }
    }
}
