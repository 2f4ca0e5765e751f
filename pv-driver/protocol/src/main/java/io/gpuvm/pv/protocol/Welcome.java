package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Host's answer to [Hello], the last message on the socket: an area, or the reason for a refusal.
///
/// ```text
///  0          8            12           16              24  64                     256
///  +----------+------------+------------+---------------+---+----------------------+
///  | magic 64 | version 32 | refused 32 | area bytes 64 | 0 | reason, UTF-8, zeros |
///  +----------+------------+------------+---------------+---+----------------------+
/// ```
///
/// Three descriptors are attached to the first byte of a welcome, at the indices [#AREA],
/// [#WAKE_HOST] and [#WAKE_GUEST]. A refusal has none.
///
/// @param protocol protocol of the rings, which the magic number names; a refusal has that of the
///   client
/// @param version version of the host's protocol
/// @param areaBytes length of the shared area; 0 if refused
/// @param refusal reason for the refusal; null if the guest is accepted
public record Welcome(RingProtocol protocol, int version, long areaBytes, String refusal) {
    /// Length of the message in bytes.
    public static final int BYTES = 256;

    /// Index of the descriptor of the area's memory.
    public static final int AREA = 0;

    /// Index of the descriptor that wakes the host: a stream socket; any eight bytes written to it
    /// are a signal.
    public static final int WAKE_HOST = 1;

    /// Index of the descriptor that wakes the guest: a stream socket; eight bytes received from it
    /// are a signal.
    public static final int WAKE_GUEST = 2;

    /// Number of descriptors of a welcome.
    public static final int DESCRIPTORS = 3;

    private static final int AT_MAGIC = 0;
    private static final int AT_VERSION = 8;
    private static final int AT_REFUSED = 12;
    private static final int AT_AREA_BYTES = 16;
    private static final int AT_REASON = 64;
    private static final int REASON_BYTES = BYTES - AT_REASON;

    /// Returns a welcome with an area for a paravirtual guest.
    public static Welcome to(long areaBytes) {
        return to(RingProtocol.COMMANDS, areaBytes);
    }

    /// Returns a welcome with an area for a client.
    public static Welcome to(RingProtocol protocol, long areaBytes) {
        return new Welcome(protocol, AreaHeader.VERSION, areaBytes, null);
    }

    /// Returns a refusal of a paravirtual guest with the given reason.
    public static Welcome refused(String reason) {
        return refused(RingProtocol.COMMANDS, reason);
    }

    /// Returns a refusal of a client with the given reason.
    ///
    /// @param protocol protocol of the client
    public static Welcome refused(RingProtocol protocol, String reason) {
        return new Welcome(protocol, AreaHeader.VERSION, 0, reason);
    }

    /// Writes this message, [#BYTES] bytes, to the start of `message`.
    public void write(MemorySegment message) {
        message.fill((byte) 0);
        message.set(WireType.U64, AT_MAGIC, protocol.magic());
        message.set(WireType.U32, AT_VERSION, version);
        message.set(WireType.U32, AT_REFUSED, refusal == null ? 0 : 1);
        message.set(WireType.U64, AT_AREA_BYTES, areaBytes);
        if (refusal != null) {
            WireType.putText(message, AT_REASON, REASON_BYTES, refusal);
        }
    }

    /// Reads a message.
    ///
    /// @param message [#BYTES] bytes from the host
    /// @return the message; null if it is not a `Welcome`
    public static Welcome read(MemorySegment message) {
        RingProtocol protocol = RingProtocol.of(message.get(WireType.U64, AT_MAGIC));
        if (protocol == null) {
            return null;
        }
        boolean refused = message.get(WireType.U32, AT_REFUSED) != 0;
        return new Welcome(
                protocol,
                message.get(WireType.U32, AT_VERSION),
                message.get(WireType.U64, AT_AREA_BYTES),
                refused ? WireType.text(message, AT_REASON, REASON_BYTES) : null);
    }
}
