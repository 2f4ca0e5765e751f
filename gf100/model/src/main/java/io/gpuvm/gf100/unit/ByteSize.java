package io.gpuvm.gf100.unit;

/// Number of bytes in text form: `512M`.
public final class ByteSize {
    private static final int KIB_SHIFT = 10;
    private static final int MIB_SHIFT = 20;
    private static final int GIB_SHIFT = 30;

    private ByteSize() {}

    /// Parses a number of bytes, optionally with the suffix K, M or G for units of 1024, 1024² or
    /// 1024³ bytes.
    ///
    /// @param key name of the size, for the message
    /// @throws IllegalArgumentException if the text is invalid; the message contains the key, the
    ///   text and the accepted format
    public static long parse(String key, String text) {
        int shift = text.isEmpty() ? 0 : shiftOf(text.charAt(text.length() - 1));
        try {
            long number = Long.parseLong(text.substring(0, text.length() - (shift == 0 ? 0 : 1)));
            return Math.multiplyExact(number, 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "%s=%s, expected a number of bytes with an optional suffix K, M or G"
                            .formatted(key, text),
                    e);
        }
    }

    private static int shiftOf(char suffix) {
        return switch (suffix) {
            case 'K' -> KIB_SHIFT;
            case 'M' -> MIB_SHIFT;
            case 'G' -> GIB_SHIFT;
            default -> 0;
        };
    }
}
