package io.gpuvm.remote.session;

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

    /// Number of [#ROWS] frames that precede the entries of an [#ENTRIES] or [#COMPLETIONS] frame.
    static final int ROWS_BEFORE = 0;

    /// Retired word of a [#COMPLETIONS] frame; 0 in other frames.
    static final int RETIRED = 8;

    /// Offset of the first entry.
    static final int FIRST_ENTRY = 16;

    static final int ROWS_OFFSET = 0;
    static final int ROWS_WIDTH = 8;
    static final int ROWS_COUNT = 12;
    static final int ROWS_PITCH = 16;

    /// Offset of the bytes of the rows.
    static final int ROWS_BYTES = 24;

    /// Maximum length of a frame's payload in bytes. Longer frames would delay acknowledgements.
    static final int MOST_BYTES = 128 << 10;

    private SessionFrame() {}
}
