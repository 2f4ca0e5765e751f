package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// The first message on a guest's socket, from the guest: what it speaks, and what it would like.
///
/// ```text
///  0          8            12   16            24
///  +----------+------------+----+-------------+
///  | magic 64 | version 32 | 0  | data bytes 64 |
///  +----------+------------+----+-------------+
/// ```
///
/// @param version the protocol's, [AreaHeader#VERSION]
/// @param dataBytes how long the data area should be; the host may give less, or more. 0: whatever
///   the host gives
public record Hello(int version, long dataBytes) {
    /// Length of the message.
    public static final int BYTES = 24;

    private static final int AT_MAGIC = 0;
    private static final int AT_VERSION = 8;
    private static final int AT_DATA_BYTES = 16;

    /// Writes the message to the start of `message`, [#BYTES] long.
    public void write(MemorySegment message) {
        message.fill((byte) 0);
        message.set(WireType.U64, AT_MAGIC, AreaHeader.MAGIC);
        message.set(WireType.U32, AT_VERSION, version);
        message.set(WireType.U64, AT_DATA_BYTES, dataBytes);
    }

    /// Reads a message. Whether the host likes what it says is the host's business.
    ///
    /// @param message [#BYTES] from whoever has connected
    /// @return null if it is no such message at all
    public static Hello read(MemorySegment message) {
        if (message.get(WireType.U64, AT_MAGIC) != AreaHeader.MAGIC) {
            return null;
        }
        return new Hello(
                message.get(WireType.U32, AT_VERSION), message.get(WireType.U64, AT_DATA_BYTES));
    }
}
