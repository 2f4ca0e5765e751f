package io.gpuvm.softgpu.sm.alu;

/// Relations of two values, one bit each. An instruction's comparison is a set of relations: the
/// hardware's code of a comparison has exactly these bits (envytools `envydis/gf100.c`, `setit`).
public final class Comparisons {
    public static final int LESS = 1;
    public static final int EQUAL = 2;
    public static final int GREATER = 4;
    public static final int UNORDERED = 8;

    private Comparisons() {}

    /// Compares signed integers.
    public static int signed(int a, int b) {
        return of(Integer.compare(a, b));
    }

    /// Compares unsigned integers.
    public static int unsigned(int a, int b) {
        return of(Integer.compareUnsigned(a, b));
    }

    /// Returns the relation for the sign of a difference.
    public static int of(long difference) {
        if (difference < 0) {
            return LESS;
        }
        return difference > 0 ? GREATER : EQUAL;
    }
}
