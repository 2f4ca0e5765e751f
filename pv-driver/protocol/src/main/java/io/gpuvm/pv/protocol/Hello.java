package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// First message on a guest's socket, sent by the guest: its protocol version and the requested
/// length of the data area.
///
/// ```text
///  0          8            12   16              24
///  +----------+------------+----+---------------+
///  | magic 64 | version 32 | 0  | data bytes 64 |
///  +----------+------------+----+---------------+
/// ```
///
/// @param protocol protocol of the rings, which the magic number names
/// @param version version of the protocol, [AreaHeader#VERSION]
/// @param dataBytes requested length of the data area, 0 for the guest's whole quota; the host may
///   grant less or more
public record Hello(RingProtocol protocol, int version, long dataBytes) {
    /// Length of the message in bytes.
    public static final int BYTES = 24;

    private static final int AT_MAGIC = 0;
    private static final int AT_VERSION = 8;
    private static final int AT_DATA_BYTES = 16;

    /// Creates the message of a paravirtual guest.
    public Hello(int version, long dataBytes) {
        this(RingProtocol.COMMANDS, version, dataBytes);
    }

    /// Writes this message, [#BYTES] bytes, to the start of `message`.
    public void write(MemorySegment message) {
        message.fill((byte) 0);
        message.set(WireType.U64, AT_MAGIC, protocol.magic());
        message.set(WireType.U32, AT_VERSION, version);
        message.set(WireType.U64, AT_DATA_BYTES, dataBytes);
    }

    /// Reads a message. The host checks the values.
    ///
    /// @param message [#BYTES] bytes from the client
    /// @return the message; null if it is not a `Hello`
    public static Hello read(MemorySegment message) {
        RingProtocol protocol = RingProtocol.of(message.get(WireType.U64, AT_MAGIC));
        if (protocol == null) {
            return null;
        }
        return new Hello(
                protocol,
                message.get(WireType.U32, AT_VERSION),
                message.get(WireType.U64, AT_DATA_BYTES));
    }
}
