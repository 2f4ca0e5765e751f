package io.gpuvm.softgpu.sm.code;

/// How a warp's registers lie in one array: a row per register, lane by lane. Operands of decoded
/// instructions are offsets of rows.
///
/// ```text
///  0..62  general registers
///  63     zero: never written
///  64..67 where results for register 63 go
///  68..71 results of instructions that not all lanes execute, before those lanes' are taken over
///  72..73 second operand, if it is a constant or a number
///  74..75 third operand, likewise
///  76..83 the bit of each lane, the same in all of them
///  84..91 the power of two that brings a word's bit of the lane to the sign, likewise
///  92..   numbers of compiled code on their way from one format to another
/// ```
///
/// A row has room for more than the lanes, and what is there has no meaning: a loop over lanes may
/// run on to [#SPAN]. The JVM's compiler peels one round off a loop before it makes vectors of the
/// others, so a loop that is one longer than a whole number of vectors leaves none over.
public final class Rows {
    /// Threads of a warp.
    public static final int LANES = 32;

    /// How far a loop over lanes may run.
    public static final int SPAN = LANES + 1;

    /// Words from a row to the next: a multiple of the widest vector's, since the JVM's compiler
    /// makes no vectors if it has to fear that loads meet parts of stores.
    public static final int STRIDE = 48;

    /// Words before the first row. Behind these and the array's header, the second lane of each row
    /// is at the start of a cache line, if the array is: the first one is peeled off, and what a
    /// vector that lies in one line has stored can be loaded again at once. The launcher asks the
    /// JVM for arrays that start where cache lines do; where they do not, this only costs time.
    public static final int START = 11;

    /// Number of the register that reads as zero.
    public static final int ZERO_REGISTER = 63;

    public static final int ZERO = START + ZERO_REGISTER * STRIDE;
    public static final int SINK = ZERO + STRIDE;
    public static final int MASKED = SINK + 4 * STRIDE;
    public static final int SECOND = MASKED + 4 * STRIDE;
    public static final int THIRD = SECOND + 2 * STRIDE;
    public static final int LANE_BITS = THIRD + 2 * STRIDE;

    /// Rows from [#LANE_BITS] on, and from [#LANE_SIGNS] on. The JVM's compiler makes no vectors of
    /// a loop that collects bits in two words by way of one row.
    public static final int LANE_BITS_ROWS = 8;

    public static final int LANE_SIGNS = LANE_BITS + LANE_BITS_ROWS * STRIDE;
    public static final int SCRATCH = LANE_SIGNS + LANE_BITS_ROWS * STRIDE;

    /// Rows from [#SCRATCH] on.
    public static final int SCRATCH_ROWS = 24;

    public static final int WORDS = SCRATCH + SCRATCH_ROWS * STRIDE;

    private Rows() {}

    /// Row of a source register.
    public static int source(int register) {
        return START + register * STRIDE;
    }

    /// Row of a result's register.
    public static int target(int register) {
        return register == ZERO_REGISTER ? SINK : source(register);
    }

    /// Number of the register that a row is of: the opposite of [#source(int)].
    public static int register(int row) {
        return row / STRIDE;
    }

    /// Row of the upper word of a source that is two words.
    public static int upper(int row) {
        return row == ZERO ? ZERO : row + STRIDE;
    }
}
