package io.gpuvm.softgpu.sm.alu;

/// Rounding modes, as the hardware numbers them (envytools `envydis/gf100.c`, `farm`).
///
/// The modes are numbers instead of an enum, because decoded instructions contain the numbers.
public final class RoundingModes {
    /// Rounding to nearest, ties to even.
    public static final int NEAREST = 0;

    /// Rounding towards minus infinity.
    public static final int DOWN = 1;

    /// Rounding towards plus infinity.
    public static final int UP = 2;

    /// Rounding towards zero.
    public static final int TO_ZERO = 3;

    private RoundingModes() {}

    /// Returns the value to which a mode rounds: `nearest` or an adjacent value.
    ///
    /// @param nearest value rounded to nearest, as a bit pattern without sign; valid for every
    ///   format whose patterns increase with the value
    /// @param away whether `nearest` is further from zero than the exact value
    /// @param closer whether `nearest` is closer to zero
    /// @param negative sign of the exact value
    static long adjust(long nearest, boolean away, boolean closer, boolean negative, int rounding) {
        boolean up = rounding == UP && !negative || rounding == DOWN && negative;
        if (away && !up) {
            return nearest - 1;
        }
        return closer && up ? nearest + 1 : nearest;
    }
}
