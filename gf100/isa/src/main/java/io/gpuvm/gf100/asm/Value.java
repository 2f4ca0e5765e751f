package io.gpuvm.gf100.asm;

/// Number in a source.
///
/// @param kind notation, which determines the number's meaning as a float
/// @param whole value of a [Kind#DECIMAL] or [Kind#HEX]
/// @param real value of a [Kind#REAL]
/// @param single the float nearest to the written number, which is not always the float nearest to
///   `real`
/// @param bank constant bank if the number is an offset in a bank, otherwise -1
record Value(Kind kind, long whole, double real, float single, int bank) {
    enum Kind {
        /// Whole number: `1` is 1.0 as a float operand.
        DECIMAL,
        /// Bits: `0x3f800000` is 1.0 as a float operand.
        HEX,
        /// Number with a fraction or an exponent; an integer operand receives the bits of the
        /// float.
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

    /// Returns the offset of an object in a constant bank.
    static Value constant(int bank, long offset) {
        return new Value(Kind.HEX, offset, 0, 0, bank);
    }

    /// Returns the value of a [Token.Kind#NUMBER], or null if the text is not a number of at most
    /// 64 bits.
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

    /// Returns whether the number fits in 32 bits, signed or unsigned.
    boolean fitsWord() {
        return isReal() || whole >= Integer.MIN_VALUE && whole <= 0xffff_ffffL;
    }

    /// Returns 32 bits for an integer; for a [Kind#REAL], the bits of a float.
    int word() {
        return isReal() ? Float.floatToRawIntBits(single) : (int) whole;
    }

    /// Returns 32 bits for a float.
    int floatBits() {
        return switch (kind) {
            case DECIMAL -> Float.floatToRawIntBits(whole);
            case HEX -> (int) whole;
            case REAL -> Float.floatToRawIntBits(single);
        };
    }

    /// Returns 64 bits for a double; a [Kind#HEX] contains all 64.
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
