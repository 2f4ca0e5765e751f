package io.gpuvm.ptx.printf;

import java.util.Locale;

/// Conversion of a format of C's `printf` with its arguments to text; see ISO C, `fprintf`. A
/// conversion that is not known is text. Width and precision are at most [#MAX_WIDTH].
final class PrintfFormat {
    /// Maximum width and precision of a conversion in characters.
    static final int MAX_WIDTH = 4096;

    /// Maximum number of characters of a text: many conversions with large widths need few bytes.
    private static final int MAX_TEXT = 4 << 20;

    private static final String FLAGS = "-+ #0'";
    private static final String LENGTHS = "hljztLq";

    private final String format;
    private final PrintfBuffer.Arguments arguments;
    private final StringBuilder text = new StringBuilder();
    private int at;

    // Of the current conversion.
    private String flags;
    private int width;
    private int precision;
    private String length;

    PrintfFormat(String format, PrintfBuffer.Arguments arguments) {
        this.format = format;
        this.arguments = arguments;
    }

    /// Returns the text. Called once.
    String text() {
        while (at < format.length() && text.length() < MAX_TEXT) {
            int percent = format.indexOf('%', at);
            int end = percent < 0 ? format.length() : percent;
            text.append(format, at, end);
            at = end;
            if (percent >= 0) {
                convert();
            }
        }
        return text.toString();
    }

    private void convert() {
        int start = at++;
        flags = take(FLAGS);
        width = number();
        if (width < 0) {
            flags += "-";
            width = -width;
        }
        precision = -1;
        if (at < format.length() && format.charAt(at) == '.') {
            at++;
            precision = number();
        }
        length = take(LENGTHS);
        if (at == format.length()) {
            text.append(format, start, at);
            return;
        }
        char letter = format.charAt(at++);
        switch (letter) {
            case '%' -> text.append('%');
            case 'd', 'i' -> integer(true, letter);
            case 'u', 'x', 'X', 'o' -> integer(false, letter);
            case 'c' -> pad("", Character.toString((char) (arguments.next() & 0xFF)), false);
            case 's' -> string(arguments.nextString());
            case 'p' -> pad("0x", Long.toHexString(arguments.next()), false);
            case 'n' -> arguments.next();
            case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A' -> number(letter);
            default -> text.append(format, start, at);
        }
    }

    private String take(String characters) {
        int start = at;
        while (at < format.length() && characters.indexOf(format.charAt(at)) >= 0) {
            at++;
        }
        return format.substring(start, at);
    }

    /// Returns a width or precision: digits, or the next argument for an asterisk.
    private int number() {
        if (at < format.length() && format.charAt(at) == '*') {
            at++;
            return Math.clamp((int) arguments.next(), -MAX_WIDTH, MAX_WIDTH);
        }
        int value = 0;
        while (at < format.length() && Character.digit(format.charAt(at), 10) >= 0) {
            value = Math.min(MAX_WIDTH, 10 * value + Character.digit(format.charAt(at++), 10));
        }
        return value;
    }

    private boolean has(char flag) {
        return flags.indexOf(flag) >= 0;
    }

    private void integer(boolean signed, char letter) {
        long bits = arguments.next();
        // In the record, arguments of 32 bits have zeros above.
        long value = bits;
        switch (length) {
            case "" -> value = signed ? (int) bits : bits & 0xFFFF_FFFFL;
            case "h" -> value = signed ? (short) bits : bits & 0xFFFF;
            case "hh" -> value = signed ? (byte) bits : bits & 0xFF;
            default -> {}
        }
        boolean isNegative = signed && value < 0;
        String digits =
                switch (letter) {
                    case 'x', 'X' -> Long.toHexString(value);
                    case 'o' -> Long.toOctalString(value);
                    default ->
                            isNegative
                                    ? Long.toUnsignedString(-value)
                                    : Long.toUnsignedString(value);
                };
        if (precision == 0 && value == 0) {
            digits = "";
        }
        digits = "0".repeat(Math.max(0, precision - digits.length())) + digits;
        String prefix = signed ? sign(isNegative) : "";
        if (has('#') && letter == 'o' && !digits.startsWith("0")) {
            digits = "0" + digits;
        } else if (has('#') && value != 0 && (letter == 'x' || letter == 'X')) {
            prefix = "0x";
        }
        if (letter == 'X') {
            prefix = prefix.toUpperCase(Locale.ROOT);
            digits = digits.toUpperCase(Locale.ROOT);
        }
        pad(prefix, digits, precision < 0);
    }

    private String sign(boolean isNegative) {
        return isNegative ? "-" : has('+') ? "+" : has(' ') ? " " : "";
    }

    private void string(String value) {
        boolean isCut = precision >= 0 && precision < value.length();
        pad("", isCut ? value.substring(0, precision) : value, false);
    }

    private void number(char letter) {
        double value = Double.longBitsToDouble(arguments.next());
        boolean isNegative = Double.doubleToRawLongBits(value) < 0;
        String prefix = sign(isNegative);
        String digits = DoubleText.of(Math.abs(value), letter, precision, has('#'));
        boolean isFinite = Double.isFinite(value);
        if (isFinite && digits.length() > 1 && Character.toLowerCase(digits.charAt(1)) == 'x') {
            prefix += digits.substring(0, 2);
            digits = digits.substring(2);
        }
        pad(prefix, digits, isFinite);
    }

    /// Adds a value with its padding.
    ///
    /// @param prefix sign or base, before zeros
    /// @param zeros whether the flag `0` fills the width with zeros
    private void pad(String prefix, String value, boolean zeros) {
        int missing = Math.max(0, width - prefix.length() - value.length());
        if (has('-')) {
            text.append(prefix).append(value).append(" ".repeat(missing));
        } else if (zeros && has('0')) {
            text.append(prefix).append("0".repeat(missing)).append(value);
        } else {
            text.append(" ".repeat(missing)).append(prefix).append(value);
        }
    }
}
