package io.gpuvm.remote.link;

import io.gpuvm.linux.RingMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Stream of frames from the peer. Only frames with a place in the stream stay in the ring: a
/// position in the stream is a position in the ring. Control frames are handled when they arrive,
/// also if the user of the link takes no frames.
final class Incoming implements AutoCloseable {
    /// Part of the ring in which control frames and bytes beyond the current frame arrive, and
    /// which is therefore never granted to the peer.
    static final int SLACK_BYTES = 128 * 1024;

    /// Position of no frame.
    private static final long NOTHING = -1;

    /// Receiver of control frames.
    interface Control {
        /// @param kind kind of the frame
        /// @param memory memory that contains the payload
        /// @param offset offset of the payload
        /// @param bytes length of the payload
        void onControl(byte kind, MemorySegment memory, long offset, int bytes)
                throws ProtocolException;

        /// Called when the frame with which the peer closes the link has arrived.
        void onClose(String reason);
    }

    private final RingMemory ring;
    private final NativeBytes bytes;
    private final MemorySegment segment;
    private final FrameCompressor compressor;
    private final Arena arena = Arena.ofShared();
    private final LinkFrame frame = new LinkFrame();

    /// Memory for the content of a compressed frame; null before the first one.
    private NativeBytes plain;

    /// Position of the frame whose content [#plain] has.
    private long plainOf = NOTHING;

    /// Length of the released frame, with its header.
    private long peekedBytes;

    private boolean peeked;
    private long released;

    /// Position up to which whole frames have been received.
    private long received;

    /// Position up to which bytes have been received.
    private long written;

    Incoming(RingMemory ring, FrameCompressor compressor) {
        this.ring = ring;
        this.compressor = compressor;
        bytes = NativeBytes.of(ring);
        segment = ring.segment();
    }

    /// Returns the number of bytes that the peer may have in the ring.
    long window() {
        return ring.bytes() - SLACK_BYTES;
    }

    /// Returns the position up to which the peer may send.
    long limit() {
        return released + window();
    }

    long received() {
        return received;
    }

    /// Receives available bytes, and handles them.
    ///
    /// @return number of bytes, 0 if none are available
    long receive(Connection connection, Control control)
            throws ConnectionException, ProtocolException {
        long room = ring.bytes() - (written - released);
        long got = connection.receive(bytes, ring.offset(written), Math.min(room, SLACK_BYTES));
        written += got;
        parse(control);
        return got;
    }

    /// Drops a frame that has arrived in part: the peer repeats it on another connection.
    void resume() {
        written = received;
    }

    /// Begins again at position 0.
    void reset() {
        released = 0;
        received = 0;
        written = 0;
        plainOf = NOTHING;
    }

    /// Returns the oldest frame that has not been released; null if there is none.
    ///
    /// @throws ProtocolException if the frame is compressed, and invalid
    LinkFrame peek() throws ProtocolException {
        while (released < received) {
            long at = ring.offset(released);
            int payload = segment.get(Wire.U32, at + Wire.BYTES);
            if (segment.get(Wire.U8, at + Wire.KIND) == Wire.DATA) {
                int type = Short.toUnsignedInt(segment.get(Wire.U16, at + Wire.TYPE));
                peekedBytes = Wire.frameBytes(payload);
                if (segment.get(Wire.U8, at + Wire.FLAGS) == Wire.COMPRESSED) {
                    decompress(at + Wire.HEADER_BYTES, payload);
                    frame.set(plain.segment(), type, 0, plainBytesAt(at + Wire.HEADER_BYTES));
                } else {
                    frame.set(segment, type, at + Wire.HEADER_BYTES, payload);
                }
                peeked = true;
                return frame;
            }
            released += Wire.frameBytes(payload);
        }
        return null;
    }

    /// Releases the frame that [#peek()] has returned.
    void release() {
        if (!peeked) {
            throw new IllegalStateException("no frame was peeked");
        }
        peeked = false;
        released += peekedBytes;
    }

    @Override
    public void close() {
        ring.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private void decompress(long at, int payload) throws ProtocolException {
        if (plainOf == released) {
            return;
        }
        if (plain == null) {
            plain = NativeBytes.allocate(arena, Wire.MOST_PAYLOAD);
        }
        compressor.decompress(
                bytes,
                at + FrameCompressor.HEADER_BYTES,
                payload - FrameCompressor.HEADER_BYTES,
                plain,
                plainBytesAt(at));
        plainOf = released;
    }

    private int plainBytesAt(long at) {
        return segment.get(Wire.U32, at);
    }

    private void checkCompressed(long at, int payload) throws ProtocolException {
        if (payload <= FrameCompressor.HEADER_BYTES) {
            throw new ProtocolException(
                    "compressed frame bytes=%d, expected more than %d"
                            .formatted(payload, FrameCompressor.HEADER_BYTES));
        }
        int content = plainBytesAt(at);
        if (content <= 0 || content > Wire.MOST_PAYLOAD) {
            throw new ProtocolException(
                    "compressed frame: content bytes=%d, expected 1 to %d"
                            .formatted(Integer.toUnsignedLong(content), Wire.MOST_PAYLOAD));
        }
    }

    private void parse(Control control) throws ProtocolException {
        // Length of the control frames before the next frame. The bytes after them move once, not
        // after each of them: a peer could otherwise cause many long copies.
        long skipped = 0;
        while (written - received - skipped >= Wire.HEADER_BYTES) {
            long start = ring.offset(received);
            long at = start + skipped;
            int payload = segment.get(Wire.U32, at + Wire.BYTES);
            byte kind = segment.get(Wire.U8, at + Wire.KIND);
            byte flags = segment.get(Wire.U8, at + Wire.FLAGS);
            boolean isControl = kind >= Wire.FIRST_CONTROL;
            if (kind < 0 || kind > Wire.STATUS || kind > Wire.CLOSE && !isControl) {
                throw new ProtocolException(
                        "kind of frame=%d, expected %d, %d or %d to %d"
                                .formatted(
                                        kind & 0xff,
                                        Wire.DATA,
                                        Wire.CLOSE,
                                        Wire.FIRST_CONTROL,
                                        Wire.STATUS));
            }
            byte allowed = kind == Wire.DATA ? Wire.COMPRESSED : 0;
            if ((flags & ~allowed) != 0) {
                throw new ProtocolException(
                        "flags of frame=%#x, expected at most %#x".formatted(flags, allowed));
            }
            int most = isControl ? Wire.MOST_CONTROL : Wire.MOST_PAYLOAD;
            if (payload < 0 || payload > most) {
                throw new ProtocolException(
                        "frame bytes=%d, limit=%d"
                                .formatted(Integer.toUnsignedLong(payload), most));
            }
            long total = Wire.frameBytes(payload);
            if (!isControl && received + total > limit()) {
                throw new ProtocolException(
                        "position=%d, limit=%d".formatted(received + total, limit()));
            }
            if (written - received - skipped < total) {
                break;
            }
            if (isControl) {
                control.onControl(kind, segment, at + Wire.HEADER_BYTES, payload);
                skipped += total;
            } else {
                if (flags == Wire.COMPRESSED) {
                    checkCompressed(at + Wire.HEADER_BYTES, payload);
                }
                move(at, start, total);
                received += total;
                if (kind == Wire.CLOSE) {
                    control.onClose(Texts.read(segment, start + Wire.HEADER_BYTES, payload));
                }
            }
        }
        long start = ring.offset(received);
        move(start + skipped, start, written - received - skipped);
        written -= skipped;
    }

    /// Moves bytes to a lower offset. Both are offsets in one contiguous range, which may extend
    /// beyond the first mapping of the ring.
    private void move(long from, long to, long count) {
        if (from != to) {
            MemorySegment.copy(segment, from, segment, to, count);
        }
    }
}
