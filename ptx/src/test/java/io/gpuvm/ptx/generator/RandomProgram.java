package io.gpuvm.ptx.generator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/// Random module with one kernel, `kernel(.param .u64 in, .param .u64 out, .param .u64 sums)`. Each
/// thread reads [#INPUT_BYTES] at `in`, and writes [#OUTPUT_BYTES] at `out`; the kernel has atomic
/// operations on [#SUM_BYTES] at `sums`, whose results do not depend on their order. The program
/// has no undefined behaviour: no division by zero, no access out of bounds, no race, no operation
/// whose result is approximate. Every NaN in the output is the same.
///
/// @param seed seed of the program and its input
/// @param threads number of threads of a block
/// @param blocks number of blocks
public record RandomProgram(long seed, String source, int threads, int blocks) {
    /// Bytes that each thread reads.
    public static final int INPUT_BYTES = 256;

    /// Bytes that each thread writes.
    public static final int OUTPUT_BYTES = 256;

    /// Bytes of atomic operations.
    public static final int SUM_BYTES = 64;

    /// Number of arguments of the kernel, of 8 bytes each.
    public static final int ARGUMENTS = 3;

    /// Name of the kernel.
    public static final String KERNEL = "kernel";

    private static final long[] WORDS = {
        0,
        1,
        -1,
        2,
        31,
        32,
        33,
        63,
        64,
        65,
        0x7F,
        0x80,
        0xFF,
        0x7FFF,
        0x8000,
        0xFFFF,
        0x7FFFFFFFL,
        0x80000000L,
        0xFFFFFFFFL,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0x5555555555555555L
    };

    private static final float[] FLOATS = {
        0.0f,
        -0.0f,
        1,
        -1,
        0.5f,
        1.5f,
        2.5f,
        -2.5f,
        3,
        1e10f,
        -1e10f,
        2147483648f,
        4294967296f,
        1e-40f,
        -1e-40f,
        Float.MIN_VALUE,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        0.99999994f,
        8388607.5f
    };

    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        1.5,
        -2.5,
        1e300,
        -1e300,
        1e-310,
        Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        9223372036854775808.0,
        18446744073709551616.0,
        4503599627370495.5,
        1e39,
        1e-46
    };

    /// Returns the number of threads of the grid.
    public int allThreads() {
        return threads * blocks;
    }

    /// Returns the input of all threads: first integers, then floats, then doubles.
    public byte[] input() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        ByteBuffer bytes =
                ByteBuffer.allocate(allThreads() * INPUT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int thread = 0; thread < allThreads(); thread++) {
            bytes.position(thread * INPUT_BYTES);
            for (int i = 0; i < ProgramWriter.INTEGER_INPUTS; i++) {
                bytes.putLong(
                        random.nextInt(3) == 0
                                ? WORDS[random.nextInt(WORDS.length)]
                                : random.nextLong() >>> random.nextInt(Long.SIZE));
            }
            for (int i = 0; i < ProgramWriter.FLOAT_INPUTS; i++) {
                bytes.putFloat(number(random));
            }
            for (int i = 0; i < ProgramWriter.DOUBLE_INPUTS; i++) {
                bytes.putDouble(wideNumber(random));
            }
        }
        return bytes.array();
    }

    private static float number(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> FLOATS[random.nextInt(FLOATS.length)];
            case 1 -> Float.intBitsToFloat(random.nextInt());
            default -> (float) (random.nextDouble() * 2000 - 1000);
        };
    }

    private static double wideNumber(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 1 -> Double.longBitsToDouble(random.nextLong());
            default -> random.nextDouble() * 2000 - 1000;
        };
    }
}
