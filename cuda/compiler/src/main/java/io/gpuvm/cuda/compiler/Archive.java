package io.gpuvm.cuda.compiler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Static library: the members of an archive of `ar`.
///
/// ```text
///   "!<arch>\n", then for each member, at an even offset:
///   name 16, time 12, user 6, group 6, mode 8, bytes 10 (decimal digits), "`\n", contents
/// ```
///
/// Source: the manual page ar(5).
final class Archive {
    private static final byte[] START = "!<arch>\n".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_BYTES = 60;
    private static final int SIZE_AT = 48;
    private static final int SIZE_DIGITS = 10;

    private Archive() {}

    static boolean isArchive(byte[] file) {
        return file.length >= START.length
                && Arrays.equals(file, 0, START.length, START, 0, START.length);
    }

    /// Returns the contents of all members, tables of names included.
    ///
    /// @param name name of the archive, for messages
    /// @throws CcException if the archive is damaged
    static List<byte[]> members(String name, byte[] file) {
        List<byte[]> members = new ArrayList<>();
        int at = START.length;
        while (at + HEADER_BYTES <= file.length) {
            String digits =
                    new String(file, at + SIZE_AT, SIZE_DIGITS, StandardCharsets.US_ASCII).strip();
            int start = at + HEADER_BYTES;
            if (!digits.matches("\\d{1,9}") || Integer.parseInt(digits) > file.length - start) {
                throw CcException.failure(
                        "%s: member at offset=%d has bytes=%s, limit=%d"
                                .formatted(name, at, digits, file.length - start));
            }
            int end = start + Integer.parseInt(digits);
            members.add(Arrays.copyOfRange(file, start, end));
            at = end + (end & 1);
        }
        return members;
    }
}
