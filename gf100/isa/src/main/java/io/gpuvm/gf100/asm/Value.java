package io.gpuvm.gf100.asm;

/// A number in a source.
///
/// @param kind how it was written, which decides what it means where a float is expected
/// @param whole of [Kind#DECIMAL] and [Kind#HEX]
/// @param real of [Kind#REAL]
/// @param single the float nearest to what was written, which is not always that nearest to `real`
/// @param bank of the constant that it is the offset of, -1 if it is none
record Value(Kind kind, long whole, double real, float single, int bank) {
    enum Kind {
        /// A whole number: `1` is 1.0 where a float is expected.
        DECIMAL,
        /// Bits: `0x3f800000` is 1.0 where a float is expected.
        HEX,
        /// A number with a fraction or an exponent; its bits where an integer is expected.
        REAL
    }

    private static final int NO_BANK = -1;
    private static final int RADIX_HEX = 16;

    static Value decimal(long whole) {
        return new Value(Kind.DECIMAL, whole, 0, 0, NO_BANK);
    }

    static Value hex(long whole) {
        return new Value(Kind.HEX, whole, 0, 0, NO_BANK);
    }

    static Value real(double real, float single) {
        return new Value(Kind.REAL, 0, real, single, NO_BANK);
    }

    /// The offset of something in a constant bank.
    static Value constant(int bank, long offset) {
        return new Value(Kind.HEX, offset, 0, 0, bank);
    }

    /// What a [Token.Kind#NUMBER] says, or null if it has too many digits.
    static Value parse(String text) {
        try {
            if (text.startsWith("0x") || text.startsWith("0X")) {
                return hex(Long.parseUnsignedLong(text.substring(2), RADIX_HEX));
            }
            if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return decimal(Long.parseUnsignedLong(text));
            }
            return real(Double.parseDouble(text), Float.parseFloat(text));
        } catch (NumberFormatException _) {
            return null;
        }
    }

    boolean isReal() {
        return kind == Kind.REAL;
    }

    Value negate() {
        return new Value(kind, -whole, -real, -single, bank);
    }

    /// Whether the number has 32 bits, signed or not.
    boolean fitsWord() {
        return isReal() || whole >= Integer.MIN_VALUE && whole <= 0xffff_ffffL;
    }

    /// 32 bits for an integer: of a [Kind#REAL], a float's.
    int word() {
        return isReal() ? Float.floatToRawIntBits(single) : (int) whole;
    }

    /// 32 bits for a float.
    int floatBits() {
        return switch (kind) {
            case DECIMAL -> Float.floatToRawIntBits(whole);
            case HEX -> (int) whole;
            case REAL -> Float.floatToRawIntBits(single);
        };
    }

    /// 64 bits for a double; [Kind#HEX] has 64 of them.
    long doubleBits() {
        return switch (kind) {
            case DECIMAL -> Double.doubleToRawLongBits(whole);
            case HEX -> whole;
            case REAL -> Double.doubleToRawLongBits(real);
        };
    }

    double asReal() {
        return isReal() ? real : whole;
    }
}
