package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.ChannelSlot;

/// Types and formats of a session's frames (`docs/remote.md`). All numbers are little-endian.
final class SessionFrame {
    /// First frame of the gateway: header of the area that the program gets.
    static final int GRANT = 1;

    /// First and last frame of the gateway: reason of a refusal, in UTF-8.
    static final int REFUSAL = 2;

    /// Entries of the submission ring, with the arguments of spilled calls.
    static final int ENTRIES = 3;

    /// Entries of the completion ring, and the retired word.
    static final int COMPLETIONS = 4;

    /// Rows of the data area, on the lane of bulk data.
    static final int ROWS = 5;

    /// Changed words of the data area of a paravirtual session, on the lane of bulk data. Each item
    /// consists of the offset of consecutive words, their number of bytes, the words, and padding.
    static final int WORDS = 6;

    /// Changed fences of a paravirtual session; each item is an offset in the data area, a word,
    /// and padding.
    static final int FENCES = 7;

    /// Positions of channels; each item is the number of a channel, and the *get* of its slot.
    static final int POSITIONS = 8;

    /// Slots of channels whose states have changed; each item is the number of a channel, padding,
    /// and the slot.
    static final int SLOTS = 9;

    /// Number of [#ROWS] or [#WORDS] frames that precede the content of a frame on the lane of
    /// calls.
    static final int ROWS_BEFORE = 0;

    /// Retired word of a CUDA session's [#COMPLETIONS] frame; 0 in other frames.
    static final int RETIRED = 8;

    /// Number of events (*news*) of a paravirtual session's [#COMPLETIONS] frame.
    static final int NEWS = RETIRED;

    /// Offset of the first entry or item of a frame on the lane of calls.
    static final int FIRST_ENTRY = 16;

    // items of WORDS
    static final int WORDS_OFFSET = 0;
    static final int WORDS_BYTES = 8;
    static final int WORDS_START = 12;

    // items of FENCES
    static final int FENCE_OFFSET = 0;
    static final int FENCE_WORD = 8;
    static final int FENCE_BYTES = 16;

    // items of POSITIONS
    static final int POSITION_CHANNEL = 0;
    static final int POSITION_GET = 4;
    static final int POSITION_BYTES = 8;

    // items of SLOTS
    static final int SLOT_CHANNEL = 0;
    static final int SLOT_START = 8;
    static final int SLOT_BYTES = SLOT_START + ChannelSlot.BYTES;

    static final int ROWS_OFFSET = 0;
    static final int ROWS_WIDTH = 8;
    static final int ROWS_COUNT = 12;
    static final int ROWS_PITCH = 16;

    /// Offset of the bytes of the rows.
    static final int ROWS_BYTES = 24;

    /// Maximum length of a frame's payload in bytes. Longer frames would delay acknowledgements.
    static final int MOST_BYTES = 128 << 10;

    /// Number of bytes after which a call stores no further bulk frames of a session, so that other
    /// sessions are not delayed: compressed frames have up to 255 times the bytes of the link.
    static final int MOST_STORED = 4 << 20;

    private SessionFrame() {}
}
