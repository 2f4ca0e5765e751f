package io.gpuvm.pv.protocol;

/// Layout of a guest's shared area. All offsets are in bytes, from the start of the area.
///
/// ```text
///  0          1000                 2000            ...                  ...                 ...
///  +----------+--------------------+---------------+--------------------+-------------------+-----------+
///  | header   | notification words | channel table | submission entries | completion entries | data area |
///  +----------+--------------------+---------------+--------------------+-------------------+-----------+
/// ```
///
/// @param channels number of slots ([ChannelSlot]) of the channel table
/// @param channelTable offset of the channel table
/// @param submissionEntries number of entries of the submission ring, a power of two
/// @param submissionRing offset of the first entry of the submission ring
/// @param completionEntries number of entries of the completion ring, a power of two
/// @param completionRing offset of the first entry of the completion ring
/// @param data offset of the data area, the memory that the guest shares with the GPU
/// @param dataBytes length of the data area, a multiple of 4 KiB
public record AreaLayout(
        int channels,
        long channelTable,
        int submissionEntries,
        long submissionRing,
        int completionEntries,
        long completionRing,
        long data,
        long dataBytes) {
    /// Offset of the notification words.
    public static final long WORDS = AreaHeader.BYTES;

    /// Distance between notification words in bytes. Two words share neither a cache line nor a
    /// pair of lines that the processor prefetches together.
    public static final long WORD_STRIDE = 128;

    /// Offset of a u32 that is 1 while the host sleeps.
    public static final long HOST_SLEEPS = WORDS;

    /// Offset of a u32 that is 1 while the guest sleeps.
    public static final long GUEST_SLEEPS = WORDS + WORD_STRIDE;

    /// Offset of the number of events that no completion reports, u32; the host increments it.
    public static final long NEWS = WORDS + 2 * WORD_STRIDE;

    /// Offset of the number of entries of the submission ring that the host has consumed, u64,
    /// written by the host.
    public static final long SUBMISSION_HEAD = WORDS + 3 * WORD_STRIDE;

    /// Offset of the number of entries of the completion ring that the guest has consumed, u64,
    /// written by the guest.
    public static final long COMPLETION_HEAD = WORDS + 4 * WORD_STRIDE;

    /// Minimum number of entries of a ring.
    public static final int MIN_ENTRIES = 1 << 4;

    /// Maximum number of entries of a ring.
    public static final int MAX_ENTRIES = 1 << 16;

    /// Maximum number of slots of the channel table.
    public static final int MAX_CHANNELS = 1 << 12;

    /// Maximum length of the data area in bytes.
    public static final long MAX_DATA_BYTES = 1L << 39;

    private static final long PAGE_BYTES = 1 << 12;
    private static final long FIRST_PART = WORDS + PAGE_BYTES;

    /// Alignment of the data area in bytes, a multiple of the GPU's page sizes.
    private static final long DATA_ALIGNMENT = 1 << 21;

    /// Checks that the parts are aligned and in order, and do not overlap.
    ///
    /// @throws IllegalArgumentException if a value is invalid; the message names the value and the
    ///   limit
    public AreaLayout {
        within("channels", channels, 1, MAX_CHANNELS);
        entries("submissionEntries", submissionEntries);
        entries("completionEntries", completionEntries);
        within("dataBytes", dataBytes, PAGE_BYTES, MAX_DATA_BYTES);
        aligned("dataBytes", dataBytes, PAGE_BYTES);
        aligned("channelTable", channelTable, RingEntry.BYTES);
        aligned("submissionRing", submissionRing, RingEntry.BYTES);
        aligned("completionRing", completionRing, RingEntry.BYTES);
        aligned("data", data, PAGE_BYTES);
        within("channelTable", channelTable, FIRST_PART, MAX_DATA_BYTES);
        within(
                "submissionRing",
                submissionRing,
                channelTableEnd(channelTable, channels),
                MAX_DATA_BYTES);
        within(
                "completionRing",
                completionRing,
                ringEnd(submissionRing, submissionEntries),
                MAX_DATA_BYTES);
        within("data", data, ringEnd(completionRing, completionEntries), MAX_DATA_BYTES);
    }

    /// Computes the layout of an area.
    ///
    /// @param channels number of slots of the channel table
    /// @param submissionEntries number of entries, a power of two
    /// @param completionEntries number of entries, a power of two
    /// @param dataBytes length of the data area, a multiple of 4 KiB
    public static AreaLayout of(
            int channels, int submissionEntries, int completionEntries, long dataBytes) {
        long submission = roundUp(channelTableEnd(FIRST_PART, channels), PAGE_BYTES);
        long completion = roundUp(ringEnd(submission, submissionEntries), PAGE_BYTES);
        long data = roundUp(ringEnd(completion, completionEntries), DATA_ALIGNMENT);
        return new AreaLayout(
                channels,
                FIRST_PART,
                submissionEntries,
                submission,
                completionEntries,
                completion,
                data,
                dataBytes);
    }

    /// Returns the length of the whole area in bytes.
    public long bytes() {
        return data + dataBytes;
    }

    /// Returns the offset of a channel's slot.
    ///
    /// @param channel number of the channel, 0 to [#channels()] - 1
    public long channelSlot(int channel) {
        if (channel < 0 || channel >= channels) {
            throw new IllegalArgumentException("channel=%d, limit=%d".formatted(channel, channels));
        }
        return channelTable + (long) channel * ChannelSlot.BYTES;
    }

    private static long channelTableEnd(long start, int channels) {
        return start + (long) channels * ChannelSlot.BYTES;
    }

    private static long ringEnd(long start, int entries) {
        return start + (long) entries * RingEntry.BYTES;
    }

    private static long roundUp(long value, long to) {
        return value + to - 1 & -to;
    }

    private static void entries(String name, int entries) {
        within(name, entries, MIN_ENTRIES, MAX_ENTRIES);
        if (Integer.bitCount(entries) != 1) {
            throw new IllegalArgumentException(
                    "%s=%d, expected a power of two".formatted(name, entries));
        }
    }

    private static void aligned(String name, long value, long to) {
        if ((value & to - 1) != 0) {
            throw new IllegalArgumentException(
                    "%s=%#x, expected a multiple of %#x".formatted(name, value, to));
        }
    }

    private static void within(String name, long value, long from, long to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException(
                    "%s=%d, expected %d to %d".formatted(name, value, from, to));
        }
    }
}
