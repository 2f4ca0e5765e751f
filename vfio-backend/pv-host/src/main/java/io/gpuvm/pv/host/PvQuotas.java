package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.protocol.AreaLayout;

/// What one paravirtual guest may have of everything that is neither VRAM nor a channel.
///
/// @param dataBytes the longest data area, whole pages of 4 KiB; memory that it never touches costs
///   nothing
/// @param handles pieces of VRAM
/// @param spaces address spaces
/// @param channels channels; less if the GPU has not as many for each of those that share it
/// @param mappedPages pages of either size, in all address spaces together
/// @param commandsInFlight commands that are not answered yet
/// @param waits fences that are waited for
public record PvQuotas(
        long dataBytes,
        int handles,
        int spaces,
        int channels,
        long mappedPages,
        int commandsInFlight,
        int waits) {
    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    private static final int MOST_HANDLES = HandleTable.MOST;
    private static final int MOST_SPACES = 128;
    private static final int MOST_CHANNELS = 128;
    private static final long MOST_PAGES = 1L << 32;

    /// Both kinds of commands that wait for something fit into the largest completion ring.
    private static final int MOST_WAITING = AreaLayout.MAX_ENTRIES / 4;

    /// What is enough for any program that we know of.
    public static final PvQuotas DEFAULT =
            new PvQuotas(256L << 20, 4096, 16, 32, 4L << 20, 1024, 256);

    /// @throws IllegalArgumentException naming the value and the limit
    public PvQuotas {
        within("data", dataBytes, PAGE_BYTES, AreaLayout.MAX_DATA_BYTES);
        if (dataBytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "data=%d, limit=a multiple of %d".formatted(dataBytes, PAGE_BYTES));
        }
        within("handles", handles, 1, MOST_HANDLES);
        within("spaces", spaces, 1, MOST_SPACES);
        within("channels", channels, 1, MOST_CHANNELS);
        within("pages", mappedPages, 1, MOST_PAGES);
        within("in-flight", commandsInFlight, 1, MOST_WAITING);
        within("waits", waits, 1, MOST_WAITING);
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s=%d, limit=%d to %d".formatted(name, value, least, most));
        }
    }
}
