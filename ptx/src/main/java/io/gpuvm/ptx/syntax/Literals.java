package io.gpuvm.ptx.syntax;

import java.math.BigInteger;

/// Converts numbers of a source.
final class Literals {
    private static final int HEX = 16;
    private static final int OCTAL = 8;
    private static final int DECIMAL = 10;
    private static final int FLOAT_DIGITS = 8;
    private static final int DOUBLE_DIGITS = 16;

    /// Maximum number of characters of a number. A decimal number of more has no use, and its
    /// conversion would take quadratic time.
    private static final int MAX_LENGTH = 400;

    private Literals() {}

    /// Converts a number.
    ///
    /// @throws SyntaxException if the text is no number, or the number exceeds 64 bits
    static ExpressionTree of(String text, SourcePosition position) {
        if (text.length() > MAX_LENGTH) {
            throw new SyntaxException(
                    position,
                    "%s: characters=%d, limit=%d"
                            .formatted(Quotation.of(text), text.length(), MAX_LENGTH));
        }
        char second = text.length() > 1 ? text.charAt(1) : 0;
        boolean zero = text.charAt(0) == '0';
        if (zero && (second == 'f' || second == 'F')) {
            int bits = (int) bits(text, position, FLOAT_DIGITS);
            return new ExpressionTree.RealLiteral(
                    position, Float.intBitsToFloat(bits), bits & 0xFFFFFFFFL, true);
        }
        if (zero && (second == 'd' || second == 'D')) {
            long bits = bits(text, position, DOUBLE_DIGITS);
            return new ExpressionTree.RealLiteral(
                    position, Double.longBitsToDouble(bits), bits, false);
        }
        boolean hex = zero && (second == 'x' || second == 'X');
        if (!hex && isReal(text)) {
            return real(text, position);
        }
        return integer(text, position);
    }

    /// Converts a small number that is not negative, such as the number of a file.
    ///
    /// @throws SyntaxException if the text is no such number
    static int small(String text, SourcePosition position) {
        ExpressionTree number = of(text, position);
        if (number instanceof ExpressionTree.IntegerLiteral integer
                && integer.value() >= 0
                && integer.value() <= Integer.MAX_VALUE) {
            return (int) integer.value();
        }
        throw new SyntaxException(
                position, "%s: expected 0 to %d".formatted(text, Integer.MAX_VALUE));
    }

    private static boolean isReal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return true;
            }
        }
        return false;
    }

    private static long bits(String text, SourcePosition position, int digits) {
        try {
            if (text.length() == digits + 2) {
                return Long.parseUnsignedLong(text, 2, text.length(), HEX);
            }
        } catch (NumberFormatException e) {
            // Same message as for a wrong length.
        }
        throw new SyntaxException(
                position,
                "%s: expected %d hexadecimal digits after '%s'"
                        .formatted(Quotation.of(text), digits, text.substring(0, 2)));
    }

    private static ExpressionTree real(String text, SourcePosition position) {
        for (int i = 0; i < text.length(); i++) {
            if ("0123456789.eE+-".indexOf(text.charAt(i)) < 0) {
                throw noNumber(text, position);
            }
        }
        try {
            double value = Double.parseDouble(text);
            return new ExpressionTree.RealLiteral(
                    position, value, Double.doubleToRawLongBits(value), false);
        } catch (NumberFormatException e) {
            throw noNumber(text, position);
        }
    }

    private static ExpressionTree integer(String text, SourcePosition position) {
        boolean unsigned = text.endsWith("U") || text.endsWith("u");
        String digits = unsigned ? text.substring(0, text.length() - 1) : text;
        int radix = DECIMAL;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            radix = HEX;
            digits = digits.substring(2);
        } else if (digits.startsWith("0b") || digits.startsWith("0B")) {
            radix = 2;
            digits = digits.substring(2);
        } else if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = OCTAL;
        }
        try {
            if (digits.isEmpty() || Character.digit(digits.charAt(0), radix) < 0) {
                throw noNumber(text, position);
            }
            BigInteger value = small(digits, radix);
            if (value.bitLength() > Long.SIZE) {
                throw new SyntaxException(
                        position, Quotation.of(text) + ": expected a number of at most 64 bits");
            }
            long bits = value.longValue();
            return new ExpressionTree.IntegerLiteral(position, bits, unsigned || bits < 0);
        } catch (NumberFormatException e) {
            throw noNumber(text, position);
        }
    }

    private static BigInteger small(String digits, int radix) {
        // The common case needs no large number.
        final int longDigits = 15;
        return digits.length() <= longDigits
                ? BigInteger.valueOf(Long.parseLong(digits, radix))
                : new BigInteger(digits, radix);
    }

    private static SyntaxException noNumber(String text, SourcePosition position) {
        return new SyntaxException(position, Quotation.of(text) + ": expected a number");
    }
}
