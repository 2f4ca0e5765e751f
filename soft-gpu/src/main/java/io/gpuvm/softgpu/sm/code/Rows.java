package io.gpuvm.softgpu.sm.code;

/// Layout of a warp's registers in one array: one row per register, with one word per lane.
/// Operands of decoded instructions are offsets of rows.
///
/// ```text
///  0..62  general registers
///  63     zero: never written
///  64..67 results for register 63
///  68..71 results of instructions that only some lanes execute, before they are merged
///  72..73 second operand, if it is a constant or immediate
///  74..75 third operand, likewise
///  76..83 the bit of each lane, the same in all of these rows
///  84..91 the power of two that shifts the lane's bit of a word to the sign, likewise
///  92..   scratch for compiled code's conversions between formats
/// ```
///
/// A row is longer than the number of lanes, and the excess words have no meaning: a loop over
/// lanes may have up to [#SPAN] iterations. The JVM's compiler peels one iteration off a loop
/// before it vectorizes the loop, so a loop whose length is one more than a multiple of the vector
/// length leaves no remainder.
public final class Rows {
    /// Number of threads in a warp.
    public static final int LANES = 32;

    /// Maximum length of a loop over lanes.
    public static final int SPAN = LANES + 1;

    /// Number of words from a row to the next: a multiple of the widest vector's length, because
    /// the JVM's compiler does not vectorize if a load may overlap a part of a store.
    public static final int STRIDE = 48;

    /// Number of words before the first row. With the array's header, these words place the second
    /// lane of each row at the start of a cache line, if the array starts at a cache line: the
    /// first lane is peeled off, and a vector that was stored within one cache line can be loaded
    /// again immediately. The launcher makes the JVM align arrays to cache lines; without that
    /// alignment, only performance suffers.
    public static final int START = 11;

    /// Number of the register that reads as zero.
    public static final int ZERO_REGISTER = 63;

    public static final int ZERO = START + ZERO_REGISTER * STRIDE;
    public static final int SINK = ZERO + STRIDE;
    public static final int MASKED = SINK + 4 * STRIDE;
    public static final int SECOND = MASKED + 4 * STRIDE;
    public static final int THIRD = SECOND + 2 * STRIDE;
    public static final int LANE_BITS = THIRD + 2 * STRIDE;

    /// Number of rows from [#LANE_BITS] on, and from [#LANE_SIGNS] on. The JVM's compiler does not
    /// vectorize a loop that collects bits in two words from one row.
    public static final int LANE_BITS_ROWS = 8;

    public static final int LANE_SIGNS = LANE_BITS + LANE_BITS_ROWS * STRIDE;
    public static final int SCRATCH = LANE_SIGNS + LANE_BITS_ROWS * STRIDE;

    /// Number of rows from [#SCRATCH] on.
    public static final int SCRATCH_ROWS = 24;

    public static final int WORDS = SCRATCH + SCRATCH_ROWS * STRIDE;

    private Rows() {}

    /// Returns the row of a source register.
    public static int source(int register) {
        return START + register * STRIDE;
    }

    /// Returns the row of a result register.
    public static int target(int register) {
        return register == ZERO_REGISTER ? SINK : source(register);
    }

    /// Returns the number of the register in a row: the inverse of [#source(int)].
    public static int register(int row) {
        return row / STRIDE;
    }

    /// Returns the row of the upper word of a two-word source.
    public static int upper(int row) {
        return row == ZERO ? ZERO : row + STRIDE;
    }
}
