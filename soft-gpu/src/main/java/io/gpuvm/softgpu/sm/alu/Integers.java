package io.gpuvm.softgpu.sm.alu;

import io.gpuvm.gf100.isa.PermuteMode;

/// Arithmetic of 32-bit integers.
public final class Integers {
    private static final int FIELD_MASK = 0xff;
    private static final int SELECTOR_BITS = 4;
    private static final int SELECTOR_SIGN = 8;
    private static final int BYTES = 8;

    private static final PermuteMode[] PERMUTE = PermuteMode.values();

    private Integers() {}

    /// Extends a word to 64 bits.
    public static long extend(int value, boolean signed) {
        return signed ? value : Integer.toUnsignedLong(value);
    }

    /// Returns the upper half of a product.
    public static int multiplyHigh(int a, int b, boolean signedA, boolean signedB) {
        return (int) (extend(a, signedA) * extend(b, signedB) >>> Integer.SIZE);
    }

    /// Shifts left. If `wrap` is true, the count is taken modulo 32; otherwise, the result is 0 for
    /// counts of 32 or more.
    public static int shiftLeft(int value, int count, boolean wrap) {
        return wrap || count >>> 5 == 0 ? value << count : 0;
    }

    /// Shifts right. If `wrap` is true, the count is taken modulo 32; otherwise, the result is 0,
    /// or the sign in all bits, for counts of 32 or more.
    public static int shiftRight(int value, int count, boolean wrap, boolean signed) {
        if (wrap || count >>> 5 == 0) {
            return signed ? value >> count : value >>> count;
        }
        return signed ? value >> Integer.SIZE - 1 : 0;
    }

    /// Extracts a bit field.
    ///
    /// @param field first bit in bits 7:0, length in bits 15:8
    /// @param signed whether the field's highest bit is its sign; for fields that reach beyond bit
    ///   31, bit 31 is the sign
    public static int extract(int value, int field, boolean signed) {
        int first = field & FIELD_MASK;
        int length = Math.min(field >>> Byte.SIZE & FIELD_MASK, Integer.SIZE);
        if (length == 0) {
            return 0;
        }
        long wide = extend(value, signed);
        long shifted = wide >> Math.min(first, Integer.SIZE);
        int unused = Long.SIZE - length;
        return (int) (signed ? shifted << unused >> unused : shifted << unused >>> unused);
    }

    /// Inserts a bit field.
    ///
    /// @param field first bit in bits 7:0, length in bits 15:8
    public static int insert(int value, int field, int into) {
        int first = field & FIELD_MASK;
        int length = Math.min(field >>> Byte.SIZE & FIELD_MASK, Integer.SIZE);
        if (first >= Integer.SIZE) {
            return into;
        }
        int mask = (int) ((1L << length) - 1) << first;
        return into & ~mask | value << first & mask;
    }

    /// Returns the position of the highest bit that is set or, in a signed number, that differs
    /// from the sign; -1 if there is none.
    ///
    /// @param fromTop whether to count down from bit 31
    public static int findLeading(int value, boolean signed, boolean fromTop) {
        int bits = signed && value < 0 ? ~value : value;
        if (bits == 0) {
            return -1;
        }
        int fromHighest = Integer.numberOfLeadingZeros(bits);
        return fromTop ? fromHighest : Integer.SIZE - 1 - fromHighest;
    }

    /// Permutes bytes (PRMT).
    ///
    /// @param mode ordinal of [PermuteMode]
    public static int permute(int mode, int low, int selector, int high) {
        return switch (PERMUTE[mode]) {
            case IDX -> permute(low, high, selector);
            case F4E -> permuteRun(low, high, selector, 1);
            case B4E -> permuteRun(low, high, selector, -1);
            case RC8 -> permuteByte(low, selector);
            case ECL -> permuteEdge(low, selector, true);
            case ECR -> permuteEdge(low, selector, false);
            case RC16 -> permuteHalf(low, selector);
        };
    }

    /// Returns two words as one 64-bit number.
    public static long wide(int low, int high) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    /// Selects bytes of two words: the selector has four bits for each byte of the result, the
    /// highest of which selects the byte's sign instead (PTX manual, `prmt`).
    public static int permute(int low, int high, int selector) {
        int result = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            int choice = selector >>> i * SELECTOR_BITS;
            int value = byteOf(low, high, choice);
            if ((choice & SELECTOR_SIGN) != 0) {
                value = (byte) value >> Byte.SIZE - 1;
            }
            result |= (value & FIELD_MASK) << i * Byte.SIZE;
        }
        return result;
    }

    /// Returns four consecutive bytes of two words, from byte n, with wrap-around.
    ///
    /// @param step 1 for ascending, -1 for descending order
    public static int permuteRun(int low, int high, int n, int step) {
        int result = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            result |= byteOf(low, high, (n & 3) + i * step) << i * Byte.SIZE;
        }
        return result;
    }

    /// Returns byte n of a word, four times.
    public static int permuteByte(int low, int n) {
        return byteOf(low, 0, n & 3) * 0x0101_0101;
    }

    /// Returns half n of a word, twice.
    public static int permuteHalf(int low, int n) {
        return byteOf(low, 0, 2 * (n & 1)) * 0x0001_0001
                | byteOf(low, 0, 2 * (n & 1) + 1) * 0x0100_0100;
    }

    /// Returns the low word with the bytes on one side of byte n replaced by byte n.
    ///
    /// @param below whether the bytes below n are replaced; otherwise the bytes above n
    public static int permuteEdge(int low, int n, boolean below) {
        int result = 0;
        int edge = n & 3;
        for (int i = 0; i < Integer.BYTES; i++) {
            int from = below ? Math.max(i, edge) : Math.min(i, edge);
            result |= byteOf(low, 0, from) << i * Byte.SIZE;
        }
        return result;
    }

    private static int byteOf(int low, int high, int n) {
        int index = n & BYTES - 1;
        int word = index < Integer.BYTES ? low : high;
        return word >>> index % Integer.BYTES * Byte.SIZE & FIELD_MASK;
    }
}
