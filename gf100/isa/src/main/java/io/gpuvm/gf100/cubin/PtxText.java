package io.gpuvm.gf100.cubin;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Recognizes PTX: text whose first statement, after blanks and comments, is `.version` (PTX ISA,
/// PTX Module Directives).
final class PtxText {
    private static final byte[] FIRST_STATEMENT = ascii(".version");
    private static final byte[] LINE_COMMENT = ascii("//");
    private static final byte[] LINE_END = ascii("\n");
    private static final byte[] COMMENT = ascii("/*");
    private static final byte[] COMMENT_END = ascii("*/");

    private PtxText() {}

    static boolean isPtx(byte[] file) {
        int at = 0;
        while (at < file.length) {
            if (isAt(file, at, LINE_COMMENT)) {
                at = after(file, at, LINE_END);
            } else if (isAt(file, at, COMMENT)) {
                at = after(file, at + COMMENT.length, COMMENT_END);
            } else if (Character.isWhitespace(file[at])) {
                at++;
            } else {
                return isAt(file, at, FIRST_STATEMENT);
            }
        }
        return false;
    }

    /// Returns the offset after the next occurrence of a text, or the end of the file.
    private static int after(byte[] file, int from, byte[] text) {
        for (int at = from; at < file.length; at++) {
            if (isAt(file, at, text)) {
                return at + text.length;
            }
        }
        return file.length;
    }

    private static boolean isAt(byte[] file, int at, byte[] text) {
        return at <= file.length - text.length
                && Arrays.equals(file, at, at + text.length, text, 0, text.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
