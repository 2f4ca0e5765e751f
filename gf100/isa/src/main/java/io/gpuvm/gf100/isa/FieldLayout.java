package io.gpuvm.gf100.isa;

import java.util.List;

/// Position of one field's bits in the word of one form, and their conversion to the field's value.
///
/// The bits of all ranges together form a number. The number is sign-extended if the field is
/// signed, shifted left by the scale, and increased by the bias. A layout without ranges is a
/// constant.
final class FieldLayout {
    /// Bits `at` to `at + width - 1` of the word, which are bits `low` to `low + width - 1` of the
    /// number.
    record BitRange(int at, int width, int low) {
        long mask() {
            return (-1L >>> (Long.SIZE - width)) << at;
        }
    }

    /// Ranges of bits, as an array, so that reading a field allocates no memory.
    private final BitRange[] ranges;

    private final int width;
    private final boolean signed;
    private final int scale;
    private final int bias;

    FieldLayout(List<BitRange> ranges, boolean signed, int scale, int bias) {
        this.ranges = ranges.toArray(BitRange[]::new);
        this.signed = signed;
        this.scale = scale;
        this.bias = bias;
        int bits = 0;
        for (BitRange range : ranges) {
            bits = Math.max(bits, range.low + range.width);
        }
        width = bits;
    }

    static FieldLayout constant(int value) {
        return new FieldLayout(List.of(), false, 0, value);
    }

    boolean isConstant() {
        return ranges.length == 0;
    }

    /// Returns the number of bits.
    int width() {
        return width;
    }

    int get(long word) {
        long number = 0;
        for (BitRange range : ranges) {
            number |= ((word & range.mask()) >>> range.at) << range.low;
        }
        return fromNumber(number);
    }

    /// Returns the value of the field for a number.
    int fromNumber(long number) {
        long extended = number;
        if (signed && width > 0) {
            extended = number << (Long.SIZE - width) >> (Long.SIZE - width);
        }
        return (int) (extended << scale) + bias;
    }

    boolean fits(int value) {
        return fromNumber(toNumber(value)) == value;
    }

    long set(int value, long word) {
        long number = toNumber(value);
        long result = word;
        for (BitRange range : ranges) {
            result = result & ~range.mask() | (number >>> range.low) << range.at & range.mask();
        }
        return result;
    }

    private long toNumber(int value) {
        int unbiased = value - bias;
        long number = signed ? unbiased >> scale : unbiased >>> scale;
        return width == 0 ? 0 : number & -1L >>> (Long.SIZE - width);
    }
}
