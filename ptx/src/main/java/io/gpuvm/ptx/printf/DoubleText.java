package io.gpuvm.ptx.printf;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Text of doubles as C's `printf` writes them: exact digits, rounded to nearest even.
final class DoubleText {
    private static final int DEFAULT_PRECISION = 6;
    private static final int FRACTION_DIGITS = 13;
    private static final int FRACTION_BITS = 52;

    /// Least exponent for which `%g` uses the notation without exponent.
    private static final int LEAST_PLAIN = -4;

    private DoubleText() {}

    /// Returns the text of a number.
    ///
    /// @param value number that is not negative
    /// @param letter conversion: one of `eEfFgGaA`
    /// @param precision precision, or -1 for the default
    /// @param alternate whether the flag `#` is set
    static String of(double value, char letter, int precision, boolean alternate) {
        char lower = Character.toLowerCase(letter);
        String text;
        if (Double.isNaN(value)) {
            text = "nan";
        } else if (Double.isInfinite(value)) {
            text = "inf";
        } else {
            int digits = precision < 0 ? DEFAULT_PRECISION : precision;
            text =
                    switch (lower) {
                        case 'f' -> plain(value, digits, alternate);
                        case 'e' -> scientific(value, digits, alternate);
                        case 'g' -> shorter(value, Math.max(1, digits), alternate);
                        default -> hexadecimal(value, precision, alternate);
                    };
        }
        return letter == lower ? text : text.toUpperCase(Locale.ROOT);
    }

    private static String plain(double value, int digits, boolean alternate) {
        BigDecimal rounded = new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN);
        return rounded.toPlainString() + (alternate && digits == 0 ? "." : "");
    }

    /// Returns the number rounded to a number of significant digits.
    private static BigDecimal rounded(double value, int digits) {
        return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    private static int exponent(BigDecimal number) {
        return number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
    }

    private static String scientific(double value, int digits, boolean alternate) {
        BigDecimal number = rounded(value, digits + 1);
        int exponent = exponent(number);
        String all = number.signum() == 0 ? "0" : number.unscaledValue().toString();
        all = all + "0".repeat(Math.max(0, digits + 1 - all.length()));
        String fraction = all.substring(1, digits + 1);
        return all.charAt(0)
                + (digits > 0 || alternate ? "." : "")
                + fraction
                + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static String shorter(double value, int digits, boolean alternate) {
        int exponent = exponent(rounded(value, digits));
        boolean isPlain = exponent >= LEAST_PLAIN && exponent < digits;
        String text =
                isPlain
                        ? plain(value, digits - 1 - exponent, alternate)
                        : scientific(value, digits - 1, alternate);
        return alternate ? text : withoutZeros(text);
    }

    /// Removes zeros at the end of the fraction.
    private static String withoutZeros(String text) {
        int mark = text.indexOf('e');
        String number = mark < 0 ? text : text.substring(0, mark);
        if (number.indexOf('.') >= 0) {
            number = number.replaceAll("\\.?0*$", "");
        }
        return number + (mark < 0 ? "" : text.substring(mark));
    }

    private static String hexadecimal(double value, int precision, boolean alternate) {
        long bits = Double.doubleToRawLongBits(value);
        long fraction = bits & (1L << FRACTION_BITS) - 1;
        int exponent = (int) (bits >>> FRACTION_BITS);
        boolean isNormal = exponent > 0;
        long number = fraction | (isNormal ? 1L << FRACTION_BITS : 0);
        if (precision >= 0 && precision < FRACTION_DIGITS) {
            int lost = (FRACTION_DIGITS - precision) * 4;
            BigDecimal scaled = new BigDecimal(number).divide(new BigDecimal(1L << lost));
            number = scaled.setScale(0, RoundingMode.HALF_EVEN).longValueExact() << lost;
        }
        String digits = "%013x".formatted(number & (1L << FRACTION_BITS) - 1);
        digits =
                precision < 0
                        ? digits.replaceAll("0*$", "")
                        : precision <= FRACTION_DIGITS
                                ? digits.substring(0, precision)
                                : digits + "0".repeat(precision - FRACTION_DIGITS);
        int scale =
                value == 0 ? 0 : isNormal ? exponent - Double.MAX_EXPONENT : Double.MIN_EXPONENT;
        return "0x"
                + (number >>> FRACTION_BITS)
                + (digits.isEmpty() && !alternate ? "" : ".")
                + digits
                + "p%+d".formatted(scale);
    }
}
