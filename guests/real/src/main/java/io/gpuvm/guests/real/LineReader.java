package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.Reader;

/// Reader of lines of bounded length, because a guest may send a line without end. One thread.
public final class LineReader {
    private static final int BUFFER_CHARACTERS = 1 << 13;

    private final Reader source;
    private final int limit;
    private final char[] buffer = new char[BUFFER_CHARACTERS];
    private int next;
    private int end;

    /// @param source characters of the lines
    /// @param limit maximum number of characters of a line; later characters of the line are
    ///   dropped
    public LineReader(Reader source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    /// Reads the next line.
    ///
    /// @return line without its line feed, or null at the end of the source
    public String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        boolean any = false;
        while (next < end || fill()) {
            any = true;
            int from = next;
            while (next < end && buffer[next] != '\n') {
                next++;
            }
            line.append(buffer, from, Math.min(next - from, limit - line.length()));
            if (next < end) {
                next++;
                return withoutCarriageReturn(line);
            }
        }
        return any ? withoutCarriageReturn(line) : null;
    }

    private static String withoutCarriageReturn(StringBuilder line) {
        int length = line.length();
        boolean hasReturn = length > 0 && line.charAt(length - 1) == '\r';
        return hasReturn ? line.substring(0, length - 1) : line.toString();
    }

    /// @return false at the end of the source
    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, source.read(buffer));
        return end > 0;
    }
}
