package io.gpuvm.remote.link;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// First frame of a connection in each direction: the agent's hello, and the backend's welcome.
///
/// @param lane lane of the connection
/// @param isNew whether a hello requests a new link; false in a welcome
/// @param graceMs grace time of the backend in milliseconds; 0 in a hello
/// @param key identity of the link; in a welcome with the secret only if the link is new
/// @param received position up to which the sender has received whole frames
/// @param limit position up to which the sender accepts frames
/// @param ringBytes size of the ring in which the sender keeps frames
/// @param features what the sender accepts: [#ACCEPTS_LZ4]; other bits are reserved
/// @param name name of the virtual machine in a hello without a certificate; empty otherwise
/// @param content request or answer of the users of the link
/// @param credential credential of a [ClusterSeal] in a hello without a certificate; empty
///   otherwise
record Greeting(
        Lane lane,
        boolean isNew,
        int graceMs,
        SessionKey key,
        long received,
        long limit,
        int ringBytes,
        int features,
        String name,
        byte[] content,
        String credential) {
    /// Maximum length of a request or an answer.
    static final int MOST_CONTENT = 4096;

    static final int MOST_NAME = 64;

    /// Feature: the sender accepts compressed frames ([FrameCompressor]).
    static final int ACCEPTS_LZ4 = 1;

    private static final long MAGIC = 0;
    private static final long VERSION = 8;
    private static final long LANE = 10;
    private static final long PURPOSE = 11;
    private static final long GRACE = 12;
    private static final long ID = 16;
    private static final long SECRET = 32;
    private static final long RECEIVED = 64;
    private static final long LIMIT = 72;
    private static final long RING = 80;
    private static final long NAME_BYTES = 84;
    private static final long CONTENT_BYTES = 86;
    private static final long FEATURES = 88;
    private static final int FIXED_BYTES = 96;

    private static final byte NEW = 0;
    private static final byte RESUME = 1;

    /// Returns a hello with a credential.
    Greeting with(String newCredential) {
        return new Greeting(
                lane,
                isNew,
                graceMs,
                key,
                received,
                limit,
                ringBytes,
                features,
                name,
                content,
                newCredential);
    }

    /// Writes the payload.
    ///
    /// @return length of the payload
    int write(MemorySegment to, long at) {
        byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
        if (nameBytes.length > MOST_NAME || content.length > MOST_CONTENT) {
            throw new IllegalArgumentException(
                    "name bytes=%d, limit=%d; content bytes=%d, limit=%d"
                            .formatted(nameBytes.length, MOST_NAME, content.length, MOST_CONTENT));
        }
        to.set(Wire.U64, at + MAGIC, Wire.MAGIC);
        to.set(Wire.U16, at + VERSION, Wire.VERSION);
        to.set(Wire.U8, at + LANE, (byte) lane.ordinal());
        to.set(Wire.U8, at + PURPOSE, isNew ? NEW : RESUME);
        to.set(Wire.U32, at + GRACE, graceMs);
        to.set(Wire.U64, at + ID, key.high());
        to.set(Wire.U64, at + ID + Long.BYTES, key.low());
        MemorySegment.copy(key.secret(), 0, to, Wire.U8, at + SECRET, SessionKey.SECRET_BYTES);
        to.set(Wire.U64, at + RECEIVED, received);
        to.set(Wire.U64, at + LIMIT, limit);
        to.set(Wire.U32, at + RING, ringBytes);
        to.set(Wire.U64, at + FEATURES, Integer.toUnsignedLong(features));
        to.set(Wire.U16, at + NAME_BYTES, (short) nameBytes.length);
        to.set(Wire.U16, at + CONTENT_BYTES, (short) content.length);
        long end = at + FIXED_BYTES;
        MemorySegment.copy(nameBytes, 0, to, Wire.U8, end, nameBytes.length);
        end += nameBytes.length;
        MemorySegment.copy(content, 0, to, Wire.U8, end, content.length);
        end += content.length;
        byte[] credentialBytes = credential.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(credentialBytes, 0, to, Wire.U8, end, credentialBytes.length);
        return (int) (end - at) + credentialBytes.length;
    }

    /// Reads the payload of a hello or of a welcome.
    static Greeting read(MemorySegment from, long at, int bytes) throws ProtocolException {
        require("greeting bytes", bytes, bytes >= FIXED_BYTES, "at least " + FIXED_BYTES);
        long magic = from.get(Wire.U64, at + MAGIC);
        if (magic != Wire.MAGIC) {
            throw new ProtocolException("magic=%#x, expected=%#x".formatted(magic, Wire.MAGIC));
        }
        int version = Short.toUnsignedInt(from.get(Wire.U16, at + VERSION));
        require("version", version, version == Wire.VERSION, "" + Wire.VERSION);
        int lane = Byte.toUnsignedInt(from.get(Wire.U8, at + LANE));
        require("lane", lane, lane < Lane.ALL.size(), "0 to " + (Lane.ALL.size() - 1));
        byte purpose = from.get(Wire.U8, at + PURPOSE);
        require("purpose", purpose, purpose == NEW || purpose == RESUME, NEW + " or " + RESUME);
        byte[] secret = new byte[SessionKey.SECRET_BYTES];
        MemorySegment.copy(from, Wire.U8, at + SECRET, secret, 0, secret.length);
        SessionKey key =
                new SessionKey(
                        from.get(Wire.U64, at + ID),
                        from.get(Wire.U64, at + ID + Long.BYTES),
                        secret);
        int ringBytes = from.get(Wire.U32, at + RING);
        require(
                "ring bytes",
                ringBytes,
                ringBytes >= LinkOptions.FEWEST_BYTES,
                "at least " + LinkOptions.FEWEST_BYTES);
        int nameBytes = Short.toUnsignedInt(from.get(Wire.U16, at + NAME_BYTES));
        require("name bytes", nameBytes, nameBytes <= MOST_NAME, "at most " + MOST_NAME);
        int contentBytes = Short.toUnsignedInt(from.get(Wire.U16, at + CONTENT_BYTES));
        require(
                "content bytes",
                contentBytes,
                contentBytes <= MOST_CONTENT && FIXED_BYTES + nameBytes + contentBytes <= bytes,
                "at most " + Math.min(MOST_CONTENT, bytes - FIXED_BYTES - nameBytes));
        byte[] content = new byte[contentBytes];
        long contentAt = at + FIXED_BYTES + nameBytes;
        MemorySegment.copy(from, Wire.U8, contentAt, content, 0, contentBytes);
        int credentialBytes = bytes - FIXED_BYTES - nameBytes - contentBytes;
        require(
                "credential bytes",
                credentialBytes,
                credentialBytes <= ClusterSeal.MOST_CREDENTIAL,
                "at most " + ClusterSeal.MOST_CREDENTIAL);
        byte[] credential = new byte[credentialBytes];
        MemorySegment.copy(from, Wire.U8, contentAt + contentBytes, credential, 0, credentialBytes);
        return new Greeting(
                Lane.ALL.get(lane),
                purpose == NEW,
                from.get(Wire.U32, at + GRACE),
                key,
                from.get(Wire.U64, at + RECEIVED),
                from.get(Wire.U64, at + LIMIT),
                ringBytes,
                from.get(Wire.U32, at + FEATURES),
                Texts.read(from, at + FIXED_BYTES, nameBytes),
                content,
                new String(credential, StandardCharsets.US_ASCII));
    }

    private static void require(String field, int value, boolean valid, String expected)
            throws ProtocolException {
        if (!valid) {
            throw new ProtocolException("%s=%d, expected %s".formatted(field, value, expected));
        }
    }
}
