package io.gpuvm.remote.link;

import java.lang.foreign.MemorySegment;

/// Last frame of a connection whose sender ends the link, or does not accept it.
///
/// @param kind reason for the peer's program
/// @param text reason for the peer's user
record Refusal(Kind kind, String text) {
    enum Kind {
        /// The link's user does not accept the link.
        REFUSED,
        /// No link has the identity of a hello.
        UNKNOWN,
        /// The link has ended, for instance because the peer has violated the protocol.
        ENDED
    }

    /// Text for every hello whose identity, secret or name is wrong.
    static final Refusal NO_SUCH_LINK =
            new Refusal(
                    Kind.UNKNOWN, "no such session: it has ended, or the backend was restarted");

    private static final Kind[] KINDS = Kind.values();
    private static final long KIND = 0;
    private static final long TEXT_BYTES = 2;
    private static final int FIXED_BYTES = 8;

    /// Writes the payload.
    ///
    /// @return length of the payload
    int write(MemorySegment to, long at) {
        byte[] bytes = Texts.bytes(text);
        to.set(Wire.U64, at, 0);
        to.set(Wire.U16, at + KIND, (short) kind.ordinal());
        to.set(Wire.U16, at + TEXT_BYTES, (short) bytes.length);
        MemorySegment.copy(bytes, 0, to, Wire.U8, at + FIXED_BYTES, bytes.length);
        return FIXED_BYTES + bytes.length;
    }

    static Refusal read(MemorySegment from, long at, int bytes) throws ProtocolException {
        if (bytes < FIXED_BYTES) {
            throw new ProtocolException(
                    "refusal bytes=%d, expected at least %d".formatted(bytes, FIXED_BYTES));
        }
        int kind = Short.toUnsignedInt(from.get(Wire.U16, at + KIND));
        int textBytes = Short.toUnsignedInt(from.get(Wire.U16, at + TEXT_BYTES));
        if (kind >= KINDS.length || textBytes > bytes - FIXED_BYTES) {
            throw new ProtocolException(
                    "refusal kind=%d, limit=%d; text bytes=%d, limit=%d"
                            .formatted(kind, KINDS.length - 1, textBytes, bytes - FIXED_BYTES));
        }
        return new Refusal(KINDS[kind], Texts.read(from, at + FIXED_BYTES, textBytes));
    }
}
