package io.gpuvm.remote.link;

import io.gpuvm.linux.RingMemory;
import java.lang.foreign.MemorySegment;

/// Stream of frames to the peer. Frames stay in a ring until the peer has acknowledged them, so
/// that they can be repeated on another connection.
///
/// Positions count the bytes of all frames since the link was opened: `acknowledged <= sent <=
/// appended <= limit`, and `appended - acknowledged` is at most the size of the ring.
final class Outgoing implements AutoCloseable {
    private final RingMemory ring;
    private final NativeBytes bytes;
    private final MemorySegment segment;
    private long acknowledged;
    private long sent;

    /// First boundary between frames at or after [#sent].
    private long boundary;

    private long appended;
    private long limit;

    Outgoing(RingMemory ring) {
        this.ring = ring;
        bytes = NativeBytes.of(ring);
        segment = ring.segment();
    }

    /// Returns the number of bytes that all frames sent now may have, with headers.
    long room() {
        return Math.min(acknowledged + ring.bytes(), limit) - appended;
    }

    /// Appends a frame whose payload consists of two parts. The caller has checked [#room()].
    ///
    /// @param flags [Wire#COMPRESSED] or 0
    void append(
            byte kind,
            byte flags,
            int type,
            MemorySegment first,
            long firstOffset,
            long firstBytes,
            MemorySegment second,
            long secondOffset,
            long secondBytes) {
        long payload = firstBytes + secondBytes;
        long at = ring.offset(appended);
        long total = Wire.frameBytes(payload);
        // Zeros after the payload; for an empty payload, the header overwrites them.
        segment.set(Wire.U64, at + total - Long.BYTES, 0);
        segment.set(Wire.U32, at + Wire.BYTES, (int) payload);
        segment.set(Wire.U16, at + Wire.TYPE, (short) type);
        segment.set(Wire.U8, at + Wire.KIND, kind);
        segment.set(Wire.U8, at + Wire.FLAGS, flags);
        long start = at + Wire.HEADER_BYTES;
        if (firstBytes > 0) {
            MemorySegment.copy(first, firstOffset, segment, start, firstBytes);
        }
        if (secondBytes > 0) {
            MemorySegment.copy(second, secondOffset, segment, start + firstBytes, secondBytes);
        }
        appended += total;
    }

    /// Returns whether appended bytes wait to be sent.
    boolean hasUnsent() {
        return sent < appended;
    }

    /// Returns the number of appended bytes that wait to be sent.
    long unsent() {
        return appended - sent;
    }

    /// Returns whether a control frame may be sent next.
    boolean isAtBoundary() {
        return sent == boundary;
    }

    /// Sends bytes.
    ///
    /// @param most maximum number of bytes
    /// @param toBoundary whether to send at most the rest of the current frame
    /// @return false if the connection has no space for more
    boolean send(Connection connection, long most, boolean toBoundary) throws ConnectionException {
        long wanted = Math.min(most, (toBoundary ? boundary : appended) - sent);
        long done = connection.send(bytes, ring.offset(sent), wanted);
        sent += done;
        while (boundary < sent) {
            boundary += frameBytesAt(boundary);
        }
        return done == wanted;
    }

    /// Handles the peer's report.
    ///
    /// @param received position up to which the peer has received whole frames
    /// @param newLimit position up to which the peer accepts frames
    void onStatus(long received, long newLimit) throws ProtocolException {
        if (received < acknowledged || received > sent) {
            throw new ProtocolException(
                    "acknowledged position=%d, expected %d to %d"
                            .formatted(received, acknowledged, sent));
        }
        acknowledge(received);
        if (newLimit < limit) {
            throw new ProtocolException(
                    "position limit=%d, expected at least %d".formatted(newLimit, limit));
        }
        limit = newLimit;
    }

    /// Prepares to repeat on a new connection all frames that the peer has not received.
    ///
    /// @param received position up to which the peer has received whole frames
    /// @param newLimit position up to which the peer accepts frames
    void resume(long received, long newLimit) throws ProtocolException {
        // All appended bytes may have been sent before on another connection.
        sent = appended;
        onStatus(received, newLimit);
        sent = received;
        boundary = received;
    }

    /// Begins again at position 0.
    void reset() {
        acknowledged = 0;
        sent = 0;
        boundary = 0;
        appended = 0;
        limit = 0;
    }

    /// Returns the position up to which the peer has received all frames.
    long acknowledged() {
        return acknowledged;
    }

    /// Returns the position of the next frame.
    long appended() {
        return appended;
    }

    @Override
    public void close() {
        ring.close();
    }

    /// Walks from frame to frame, because a position inside a frame is an error of the peer.
    private void acknowledge(long received) throws ProtocolException {
        while (acknowledged < received) {
            acknowledged += frameBytesAt(acknowledged);
        }
        if (acknowledged != received) {
            throw new ProtocolException(
                    "acknowledged position=%d, expected a boundary of frames such as %d"
                            .formatted(received, acknowledged));
        }
    }

    private long frameBytesAt(long position) {
        return Wire.frameBytes(segment.get(Wire.U32, ring.offset(position) + Wire.BYTES));
    }
}
