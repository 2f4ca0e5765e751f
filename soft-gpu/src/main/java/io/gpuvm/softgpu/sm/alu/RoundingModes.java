package io.gpuvm.softgpu.sm.alu;

/// Ways to round, by the hardware's number (envytools `envydis/gf100.c`, `farm`).
///
/// Numbers rather than an enum, as instructions hold them predecoded.
public final class RoundingModes {
    /// To the nearest, ties to even.
    public static final int NEAREST = 0;

    /// Towards minus infinity.
    public static final int DOWN = 1;

    /// Towards plus infinity.
    public static final int UP = 2;

    /// Towards zero.
    public static final int TO_ZERO = 3;

    private RoundingModes() {}

    /// Moves a value of the nearest rounding to the neighbour that another rounding asks for.
    ///
    /// @param nearest what rounding to nearest gave, as a bit pattern without sign; the same for
    ///   every format whose patterns count up with the value
    /// @param away whether `nearest` is further from zero than the exact value
    /// @param closer whether it is closer to zero
    /// @param negative sign of the exact value
    static long adjust(long nearest, boolean away, boolean closer, boolean negative, int rounding) {
        boolean up = rounding == UP && !negative || rounding == DOWN && negative;
        if (away && !up) {
            return nearest - 1;
        }
        return closer && up ? nearest + 1 : nearest;
    }
}
