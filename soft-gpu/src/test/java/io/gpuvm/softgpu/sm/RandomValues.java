package io.gpuvm.softgpu.sm;

import java.util.Random;

/// Edge cases of arithmetic.
final class RandomValues {
    private static final int[] INTEGERS = {
        0,
        1,
        2,
        3,
        4,
        7,
        8,
        15,
        16,
        23,
        24,
        30,
        31,
        32,
        33,
        63,
        64,
        127,
        128,
        255,
        256,
        -1,
        -2,
        -31,
        -32,
        -33,
        0x7fff,
        0x8000,
        0xffff,
        0x1_0000,
        0xff_ffff,
        0x100_0000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE - 1,
        Integer.MIN_VALUE + 1,
        0x5555_5555,
        0xaaaa_aaaa,
        0x0101_0101,
        0x8080_8080,
        0xffff_0000,
        0x80_0000
    };

    /// Zeros, ones, infinities, NaNs with a payload, denormals, limits of integers, and values
    /// adjacent to these.
    private static final int[] FLOATS = {
        0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0xbf00_0000, 0x3fc0_0000,
        0x4020_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7fff_ffff, 0x7f80_0001,
        0xff80_0001, 0x7fa1_2345, 0xffe5_4321, 0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x807f_ffff,
        0x0080_0000, 0x8080_0000, 0x0080_0001, 0x0040_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x4f00_0000,
        0xcf00_0000, 0x4f80_0000, 0x4eff_ffff, 0x3f7f_ffff, 0x3f80_0001, 0x4b00_0000, 0x4b00_0001,
        0x4b80_0000, 0x5f00_0000, 0x5f80_0000, 0x1f80_0000, 0x2000_0000, 0x6000_0000, 0x7e80_0000,
        0x477f_e000, 0x4780_0000, 0x3880_0000, 0x3380_0000, 0x3300_0000, 0x42fe_0000, 0xc2fc_0000
    };

    /// Upper words of doubles.
    private static final int[] DOUBLES = {
        0x0000_0000, 0x8000_0000, 0x3ff0_0000, 0xbff0_0000, 0x7ff0_0000, 0xfff0_0000, 0x7ff8_0000,
        0x7ff0_0001, 0xfff7_ffff, 0x0010_0000, 0x000f_ffff, 0x800f_ffff, 0x7fef_ffff, 0x41e0_0000,
        0xc1e0_0000, 0x43e0_0000, 0x43f0_0000, 0x4330_0000, 0x36a0_0000, 0x3810_0000, 0x47ef_ffff,
        0x3fe0_0000, 0x3ff8_0000
    };

    private RandomValues() {}

    /// Returns any number, usually an edge case.
    static int word(Random random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> integer(random);
            case 2, 3, 4 -> FLOATS[random.nextInt(FLOATS.length)];
            case 5 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 6 -> Float.floatToRawIntBits((float) random.nextGaussian() * 100);
            default -> random.nextInt();
        };
    }

    static int integer(Random random) {
        return INTEGERS[random.nextInt(INTEGERS.length)];
    }

    /// Fills the lanes' values of one register, with values of one kind or of all kinds.
    static void row(Random random, int[] values) {
        int sort = random.nextInt(8);
        int start = random.nextInt();
        int same = word(random);
        for (int l = 0; l < values.length; l++) {
            values[l] =
                    switch (sort) {
                        case 0 -> integer(random);
                        case 1 -> FLOATS[random.nextInt(FLOATS.length)];
                        case 2 -> Float.floatToRawIntBits((float) random.nextGaussian() * 1000);
                        case 3 -> random.nextInt();
                        case 4 -> DOUBLES[random.nextInt(DOUBLES.length)];
                        case 5 -> same;
                        case 6 -> start + l;
                        default -> word(random);
                    };
        }
    }
}
