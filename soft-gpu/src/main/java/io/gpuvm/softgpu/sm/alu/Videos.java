package io.gpuvm.softgpu.sm.alu;

import io.gpuvm.gf100.isa.VideoPart;
import io.gpuvm.gf100.isa.VideoResult;

/// Video arithmetic: operations on parts of words as signed or unsigned numbers, with a second
/// operation on the result.
///
/// Source: PTX manual, "Scalar Video Instructions".
public final class Videos {
    private static final int BYTE_MASK = 0xff;
    private static final int HALF_MASK = 0xffff;

    /// Size of the first result, in bits. It is signed.
    private static final int RESULT_BITS = 34;

    private Videos() {}

    /// Returns a part of a source as a number, given the code of a [VideoPart] and the signedness.
    public static long part(int word, int part, boolean signed) {
        return switch (VideoPart.of(part)) {
            case B0, B1, B2, B3 -> {
                int octet = word >>> part * Byte.SIZE & BYTE_MASK;
                yield signed ? (byte) octet : octet;
            }
            case H0 -> signed ? (short) word : word & HALF_MASK;
            case H1 -> signed ? word >> Short.SIZE : word >>> Short.SIZE;
            case WORD -> Integers.extend(word, signed);
        };
    }

    /// Shifts left. The count is unsigned. Bits that are shifted out of the first result, which has
    /// 34 bits, are lost, also for saturation.
    ///
    /// @param wrap whether the count is taken modulo 32; otherwise it is limited to 32
    public static long shiftLeft(long value, long count, boolean wrap) {
        return Conversions.truncate(value << count(count, wrap), RESULT_BITS, true);
    }

    /// Shifts right, with the value's sign shifted in. The count is unsigned.
    public static long shiftRight(long value, long count, boolean wrap) {
        return value >> count(count, wrap);
    }

    private static int count(long count, boolean wrap) {
        return (int) (wrap ? count & Integer.SIZE - 1 : Math.min(count, Integer.SIZE));
    }

    /// Reduces the first result to its size.
    ///
    /// @param signed whether the result is signed
    /// @param saturate whether a value out of range becomes the nearest value in range, for the
    ///   size that is merged into the third source; otherwise upper bits are discarded
    /// @param result code of the [VideoResult]
    public static int fit(long value, boolean signed, boolean saturate, int result) {
        if (!saturate) {
            return (int) value;
        }
        int bits =
                switch (VideoResult.of(result)) {
                    case H0, H1 -> Short.SIZE;
                    case B0, B2 -> Byte.SIZE;
                    case ACC, MIN, MAX, NONE -> Integer.SIZE;
                };
        long most = signed ? (1L << bits - 1) - 1 : (1L << bits) - 1;
        long least = signed ? -1L << bits - 1 : 0;
        return (int) Math.clamp(value, least, most);
    }

    /// Returns 1 if two numbers satisfy the comparison, otherwise 0.
    ///
    /// @param wanted bits for less, equal, greater
    public static int compare(long a, long b, int wanted) {
        return wanted >>> Long.compare(a, b) + 1 & 1;
    }

    /// Reduces the first result to its size, and performs the second operation.
    public static int result(long value, int third, boolean signed, boolean saturate, int result) {
        return combine(fit(value, signed, saturate, result), third, signed, result);
    }

    /// Performs the second operation.
    ///
    /// @param signed whether the minimum and the maximum compare signed numbers
    public static int combine(int first, int third, boolean signed, int result) {
        return switch (VideoResult.of(result)) {
            case H1 -> third & HALF_MASK | first << Short.SIZE;
            case H0 -> third & ~HALF_MASK | first & HALF_MASK;
            case B0 -> third & ~BYTE_MASK | first & BYTE_MASK;
            case B2 -> third & ~(BYTE_MASK << Short.SIZE) | (first & BYTE_MASK) << Short.SIZE;
            case ACC -> first + third;
            case MIN -> less(first, third, signed) ? first : third;
            case MAX -> less(first, third, signed) ? third : first;
            case NONE -> first;
        };
    }

    private static boolean less(int a, int b, boolean signed) {
        return signed ? a < b : Integer.compareUnsigned(a, b) < 0;
    }

    /// Returns the sum of a product and a third source, in full width, shifted right.
    ///
    /// @param flipProduct 0, or all ones to subtract the product
    /// @param flipThird 0, or all ones to subtract the third source
    /// @param one 1 to add one, as subtractions require
    /// @param signed whether the sum is signed
    /// @param saturate whether a sum out of the range of 32 bits becomes the nearest number in
    ///   range; otherwise upper bits are discarded
    public static int multiplyAdd(
            long a,
            long b,
            int flipProduct,
            long third,
            int flipThird,
            int one,
            int shift,
            boolean signed,
            boolean saturate) {
        long low = a * b ^ flipProduct;
        long high = Math.multiplyHigh(a, b) ^ flipProduct;
        long addend = third ^ flipThird;
        long sum = low + addend;
        high += (addend >> Long.SIZE - 1) + carry(low, addend, sum);
        low = sum + one;
        high += carry(sum, one, low);
        long shifted = shift == 0 ? low : low >>> shift | high << Long.SIZE - shift;
        return saturate ? clamp(high >> shift, shifted, signed) : (int) shifted;
    }

    private static long carry(long a, long b, long sum) {
        return (a & b | (a | b) & ~sum) >>> Long.SIZE - 1;
    }

    /// Clamps a signed number of 128 bits to the range of a 32-bit number.
    private static int clamp(long high, long low, boolean signed) {
        if (signed) {
            return high == low >> Long.SIZE - 1
                    ? Math.clamp(low, Integer.MIN_VALUE, Integer.MAX_VALUE)
                    : high < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return high == 0 && low >>> Integer.SIZE == 0 ? (int) low : -1;
    }
}
