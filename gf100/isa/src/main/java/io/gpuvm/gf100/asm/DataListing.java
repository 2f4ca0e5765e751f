package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.DataSymbol;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Lists the bytes of a constant bank as directives.
final class DataListing {
    private static final ValueLayout.OfInt LONG =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LONGS_PER_LINE = 4;
    private static final int ZEROS_WORTH_A_LINE = 32;
    private static final String INDENT = "        ";

    private final StringBuilder text;

    DataListing(StringBuilder text) {
        this.text = text;
    }

    /// @param symbols symbols of the bank
    void append(MemorySegment bytes, List<DataSymbol> symbols) {
        List<DataSymbol> sorted =
                symbols.stream().sorted(Comparator.comparingLong(DataSymbol::offset)).toList();
        Set<String> used = new HashSet<>();
        long at = 0;
        for (DataSymbol symbol : sorted) {
            append(bytes.asSlice(at, symbol.offset() - at));
            at = symbol.offset();
            boolean sayable = isName(symbol.name()) && used.add(symbol.name());
            text.append(sayable ? symbol.name() + ":\n" : "// " + quote(symbol.name()) + "\n");
        }
        append(bytes.asSlice(at));
    }

    private void append(MemorySegment bytes) {
        long at = 0;
        while (at < bytes.byteSize()) {
            long zeros = zeros(bytes, at);
            if (zeros >= ZEROS_WORTH_A_LINE) {
                line(".space " + zeros);
                at += zeros;
            } else if (bytes.byteSize() - at >= Integer.BYTES) {
                at += longs(bytes, at);
            } else {
                int one = Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at));
                line(".byte " + one);
                at++;
            }
        }
    }

    private long longs(MemorySegment bytes, long from) {
        StringBuilder numbers = new StringBuilder(".long ");
        long at = from;
        for (int i = 0; i < LONGS_PER_LINE && bytes.byteSize() - at >= Integer.BYTES; i++) {
            numbers.append(i > 0 ? ", " : "");
            numbers.append(String.format(Locale.ROOT, "0x%08x", bytes.get(LONG, at)));
            at += Integer.BYTES;
        }
        line(numbers.toString());
        return at - from;
    }

    private static long zeros(MemorySegment bytes, long from) {
        long at = from;
        while (at < bytes.byteSize() && bytes.get(ValueLayout.JAVA_BYTE, at) == 0) {
            at++;
        }
        return at - from;
    }

    private void line(String directive) {
        text.append(INDENT).append(directive).append('\n');
    }

    /// Returns a name in the syntax of sources: in quotes if necessary.
    static String name(String name) {
        return isName(name) ? name : quote(name);
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && Lexer.isNameStart(name.charAt(0))
                && name.charAt(0) != '.'
                && name.chars().allMatch(c -> Lexer.isNamePart((char) c))
                && !ReservedNames.isTaken(name);
    }

    static String quote(String name) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : name.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
