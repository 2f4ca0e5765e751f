package io.gpuvm.remote.link;

import io.gpuvm.linux.RingMemory;
import java.lang.foreign.MemorySegment;

/// Stream of frames from the peer. Only frames with a place in the stream stay in the ring: a
/// position in the stream is a position in the ring. Control frames are handled when they arrive,
/// also if the user of the link takes no frames.
final class Incoming implements AutoCloseable {
    /// Part of the ring in which control frames and bytes beyond the current frame arrive, and
    /// which is therefore never granted to the peer.
    static final int SLACK_BYTES = 128 * 1024;

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
    private final LinkFrame frame;
    private boolean peeked;
    private long released;

    /// Position up to which whole frames have been received.
    private long received;

    /// Position up to which bytes have been received.
    private long written;

    Incoming(RingMemory ring) {
        this.ring = ring;
        bytes = NativeBytes.of(ring);
        segment = ring.segment();
        frame = new LinkFrame(segment);
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
    }

    /// Returns the oldest frame that has not been released; null if there is none.
    LinkFrame peek() {
        while (released < received) {
            long at = ring.offset(released);
            int payload = segment.get(Wire.U32, at + Wire.BYTES);
            if (segment.get(Wire.U8, at + Wire.KIND) == Wire.DATA) {
                int type = Short.toUnsignedInt(segment.get(Wire.U16, at + Wire.TYPE));
                frame.set(type, at + Wire.HEADER_BYTES, payload);
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
        released += Wire.frameBytes(frame.bytes());
    }

    @Override
    public void close() {
        ring.close();
    }

    private void parse(Control control) throws ProtocolException {
        while (written - received >= Wire.HEADER_BYTES) {
            long at = ring.offset(received);
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
            if (flags != 0) {
                throw new ProtocolException("flags of frame=%#x, expected=0".formatted(flags));
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
            if (written - received < total) {
                return;
            }
            if (isControl) {
                control.onControl(kind, segment, at + Wire.HEADER_BYTES, payload);
                long rest = written - received - total;
                MemorySegment.copy(segment, at + total, segment, at, rest);
                written -= total;
            } else {
                received += total;
                if (kind == Wire.CLOSE) {
                    control.onClose(Texts.read(segment, at + Wire.HEADER_BYTES, payload));
                }
            }
        }
    }
}
