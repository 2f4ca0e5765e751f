package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.AreaLayout;

/// Quotas of one paravirtual virtual machine, for everything except VRAM. Its sessions share them,
/// except where noted.
///
/// @param sessions number of sessions at the same time
/// @param dataBytes length of the largest data area of each session, a multiple of 4 KiB; pages
///   that the guest never touches cost nothing
/// @param handles number of pieces of VRAM
/// @param spaces number of address spaces
/// @param channels number of channels; reduced if the GPU has fewer for each virtual machine that
///   shares it
/// @param mappedPages number of pages of either size, in all address spaces together
/// @param commandsInFlight number of unanswered commands of each session
/// @param waits number of pending waits for fences
/// @param privateBytes length of the memory of each session's front end, a multiple of 4 KiB; 0 for
///   guests without a front end. Pages that the front end never touches cost nothing
public record PvQuotas(
        int sessions,
        long dataBytes,
        int handles,
        int spaces,
        int channels,
        long mappedPages,
        int commandsInFlight,
        int waits,
        long privateBytes) {
    /// Maximum number of sessions of one virtual machine: the scheduler distinguishes no more.
    public static final int MOST_SESSIONS = 64;

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    /// Upper limit of the memory of a front end.
    private static final long MOST_PRIVATE_BYTES = 1L << 30;

    private static final int MOST_HANDLES = HandleTable.MOST;
    private static final int MOST_SPACES = 128;
    private static final int MOST_CHANNELS = 128;
    private static final long MOST_PAGES = 1L << 32;

    /// Upper limit of each kind of pending command, so that both kinds fit into the largest
    /// completion ring.
    private static final int MOST_WAITING = AreaLayout.MAX_ENTRIES / 4;

    /// Quotas that suffice for all known programs.
    public static final PvQuotas DEFAULT =
            new PvQuotas(16, 256L << 20, 4096, 16, 32, 4L << 20, 1024, 256, 0);

    /// Quotas of CUDA programs that suffice for all known programs: address spaces and channels for
    /// several contexts of each session, data areas for page-locked memory, and pieces for the
    /// largest VRAM in the shortest separate allocations.
    public static final PvQuotas CUDA =
            new PvQuotas(16, 512L << 20, 1 << 15, 64, 64, 4L << 20, 1024, 256, 64L << 20);

    /// @throws IllegalArgumentException if a value is out of range; the message contains the value
    ///   and the limit
    public PvQuotas {
        within("sessions", sessions, 1, MOST_SESSIONS);
        within("data", dataBytes, PAGE_BYTES, AreaLayout.MAX_DATA_BYTES);
        if (dataBytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "data=%d, expected a multiple of %d".formatted(dataBytes, PAGE_BYTES));
        }
        within("handles", handles, 1, MOST_HANDLES);
        within("spaces", spaces, 1, MOST_SPACES);
        within("channels", channels, 1, MOST_CHANNELS);
        within("pages", mappedPages, 1, MOST_PAGES);
        within("in-flight", commandsInFlight, 1, MOST_WAITING);
        within("waits", waits, 1, MOST_WAITING);
        within("private", privateBytes, 0, MOST_PRIVATE_BYTES);
        if (privateBytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "private=%d, expected a multiple of %d".formatted(privateBytes, PAGE_BYTES));
        }
    }

    /// Returns the length of the bus addresses of one session's data area.
    long addressesOfData() {
        return roundUp(dataBytes);
    }

    /// Returns the length of the bus addresses of one session.
    long addressesOfOne() {
        return addressesOfData() + roundUp(privateBytes);
    }

    private static long roundUp(long bytes) {
        return bytes + VramShare.ALIGNMENT - 1 & -VramShare.ALIGNMENT;
    }

    /// Returns the length of the bus addresses of all sessions.
    public long addresses() {
        return sessions * addressesOfOne();
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s=%d, expected %d to %d".formatted(name, value, least, most));
        }
    }
}
