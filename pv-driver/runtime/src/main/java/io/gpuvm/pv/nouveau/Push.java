package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.fifo.GpfifoEntry;

/// Push-buffer segment of a submission.
///
/// @param buffer buffer that contains the segment
/// @param offset offset in the buffer, a multiple of 4 bytes
/// @param bytes length of the segment
record Push(GemBuffer buffer, long offset, long bytes) {
    /// Maximum length of a segment in bytes: the length field of an entry of the channel's ring has
    /// 21 bits, in words.
    static final long MAX_BYTES = (long) GpfifoEntry.MAX_DWORDS * Integer.BYTES;

    /// Returns this segment and the given next segment as one segment; null if the two are not
    /// adjacent in one buffer, or are too long together.
    Push merge(Push next) {
        boolean adjacent = buffer.handle() == next.buffer.handle() && offset + bytes == next.offset;
        return adjacent && bytes + next.bytes <= MAX_BYTES
                ? new Push(buffer, offset, bytes + next.bytes)
                : null;
    }
}
