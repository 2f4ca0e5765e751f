package io.gpuvm.remote.link;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Formats of the link protocol (`docs/remote.md`). All numbers are little-endian.
///
/// Each frame has a header of 8 bytes, then the payload, then zeros up to a multiple of 8 bytes.
final class Wire {
    /// First bytes of a hello and of a welcome: `GPUVMLNK` in ASCII.
    static final long MAGIC = 0x4b4e4c4d56555047L;

    static final short VERSION = 2;

    static final int HEADER_BYTES = 8;

    /// Maximum length of a payload of a data frame.
    static final int MOST_PAYLOAD = 256 * 1024;

    /// Maximum length of a payload of a control frame.
    static final int MOST_CONTROL = 8 * 1024;

    // header of a frame
    static final long BYTES = 0;
    static final long TYPE = 4;
    static final long KIND = 6;
    static final long FLAGS = 7;

    /// Flag of a data frame whose payload is compressed ([FrameCompressor]).
    static final byte COMPRESSED = 1;

    // kinds of frames; those below FIRST_CONTROL have a place in the stream, and are repeated
    static final byte DATA = 0;
    static final byte CLOSE = 1;
    static final byte FIRST_CONTROL = 16;
    static final byte HELLO = 16;
    static final byte WELCOME = 17;
    static final byte REFUSED = 18;
    static final byte STATUS = 19;

    // payload of STATUS
    static final long STATUS_RECEIVED = 0;
    static final long STATUS_LIMIT = 8;
    static final int STATUS_BYTES = 16;

    static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Wire() {}

    /// Returns the length of a frame with a payload of this length.
    static long frameBytes(long payloadBytes) {
        return HEADER_BYTES + (payloadBytes + 7 & -8);
    }
}
