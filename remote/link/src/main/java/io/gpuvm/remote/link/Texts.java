package io.gpuvm.remote.link;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Texts of peers and for peers: one line of printable ASCII characters of limited length.
final class Texts {
    static final int MOST_BYTES = 400;

    private static final char SUBSTITUTE = '?';

    private Texts() {}

    /// Returns a peer's text, shortened, with a substitute for every other character.
    static String read(MemorySegment memory, long offset, int bytes) {
        byte[] text = new byte[Math.min(bytes, MOST_BYTES)];
        MemorySegment.copy(memory, Wire.U8, offset, text, 0, text.length);
        return new String(printable(text), StandardCharsets.US_ASCII);
    }

    /// Returns the bytes of a text for a peer.
    static byte[] bytes(String text) {
        byte[] all = text.getBytes(StandardCharsets.US_ASCII);
        return printable(all.length <= MOST_BYTES ? all : Arrays.copyOf(all, MOST_BYTES));
    }

    private static byte[] printable(byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (text[i] < ' ' || text[i] > '~') {
                text[i] = SUBSTITUTE;
            }
        }
        return text;
    }
}
