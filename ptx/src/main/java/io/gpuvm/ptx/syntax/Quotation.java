package io.gpuvm.ptx.syntax;

/// Parts of a source in messages.
public final class Quotation {
    /// Maximum number of characters of a source that a message repeats.
    static final int LIMIT = 60;

    private Quotation() {}

    /// Returns a text in single quotes, shortened, and without control characters.
    public static String of(String text) {
        StringBuilder quoted = new StringBuilder("'");
        for (int i = 0; i < Math.min(text.length(), LIMIT); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F) {
                quoted.append(c);
            } else {
                quoted.append("\\u%04x".formatted((int) c));
            }
        }
        return quoted.append(text.length() > LIMIT ? "...'" : "'").toString();
    }
}
