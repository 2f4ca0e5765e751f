package io.gpuvm.softgpu.sm;

/// How a warp's registers lie in one array: a row of 32 words per register, lane by lane. Operands
/// of decoded instructions are offsets of rows.
///
/// ```text
///  0..62  general registers
///  63     zero: never written
///  64..67 where results for register 63 go
///  68..71 results of instructions that not all lanes execute, before those lanes' are taken over
///  72..73 second operand, if it is a constant or a number
///  74..75 third operand, likewise
/// ```
final class Rows {
    /// Threads of a warp, words of a row.
    static final int LANES = 32;

    /// Number of the register that reads as zero.
    static final int ZERO_REGISTER = 63;

    static final int ZERO = ZERO_REGISTER * LANES;
    static final int SINK = ZERO + LANES;
    static final int MASKED = SINK + 4 * LANES;
    static final int SECOND = MASKED + 4 * LANES;
    static final int THIRD = SECOND + 2 * LANES;
    static final int WORDS = THIRD + 2 * LANES;

    private Rows() {}

    /// Row of a source register.
    static int source(int register) {
        return register * LANES;
    }

    /// Row of a result's register.
    static int target(int register) {
        return register == ZERO_REGISTER ? SINK : register * LANES;
    }

    /// Row of the upper word of a source that is two words.
    static int upper(int row) {
        return row == ZERO ? ZERO : row + LANES;
    }
}
