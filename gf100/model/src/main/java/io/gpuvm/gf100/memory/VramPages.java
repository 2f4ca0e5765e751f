package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// VRAM, or one virtual machine's part of VRAM, accessed by offset. Accesses to a page whose home
/// is in a window of another process use the window.
///
/// Usable by any thread, under the rules of [VramHomes] for pages that move. Offsets outside the
/// memory throw [IndexOutOfBoundsException].
public final class VramPages {
    private final VramHomes homes;

    /// First page, as a page number in all of VRAM.
    private final int firstPage;

    /// This part's range of VRAM's own memory.
    private final MemorySegment own;

    private final long ownBytes;

    VramPages(VramHomes homes, int firstPage, MemorySegment own) {
        this.homes = homes;
        this.firstPage = firstPage;
        this.own = own;
        ownBytes = own.byteSize();
    }

    /// Returns a view of memory whose pages never move.
    public static VramPages of(MemorySegment memory) {
        return new VramHomes(memory).pages();
    }

    /// Returns a part, whose offsets are relative to the start of the part.
    ///
    /// @param offset start of the part, a multiple of 4 KiB
    /// @param bytes length of the part
    public VramPages part(long offset, long bytes) {
        if ((offset & HomeTable.PAGE_MASK) != 0) {
            throw new IllegalArgumentException(
                    "offset=%d, expected a multiple of %d".formatted(offset, HomeTable.PAGE_BYTES));
        }
        int page = firstPage + (int) (offset >>> HomeTable.PAGE_SHIFT);
        return new VramPages(homes, page, own.asSlice(offset, bytes));
    }

    /// Returns the length in bytes.
    public long bytes() {
        return ownBytes;
    }

    /// Finds the memory behind an offset. Once pages can move, the result ends at the page boundary
    /// and becomes invalid when the page moves.
    ///
    /// @param span receives the memory
    public void locate(long offset, HostSpan span) {
        HomeTable table = homes.table();
        if (table == null) {
            Objects.checkIndex(offset, ownBytes);
            span.found(own, offset, ownBytes - offset, true, false);
            return;
        }
        int home = homeOf(table, offset);
        long into = offset & HomeTable.PAGE_MASK;
        long bytes = Math.min(HomeTable.PAGE_BYTES - into, ownBytes - offset);
        if (home == HomeTable.OWN) {
            span.found(own, offset, bytes, true, false);
        } else {
            span.found(table.windowOf(home), HomeTable.offsetOf(home) + into, bytes, true, false);
        }
    }

    /// Reads 1, 2, 4 or 8 bytes, zero-extended. The offset need not be aligned.
    public long read(long offset, int width) {
        HomeTable table = homes.table();
        return table == null ? Words.read(own, offset, width) : readAtHome(table, offset, width);
    }

    /// Writes 1, 2, 4 or 8 bytes. The offset need not be aligned.
    public void write(long offset, int width, long value) {
        HomeTable table = homes.table();
        if (table == null) {
            Words.write(own, offset, width, value);
        } else {
            writeAtHome(table, offset, width, value);
        }
    }

    /// Zeroes the bytes of a range that reside in windows; does not change other bytes.
    public void clearAway(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, ownBytes);
        HomeTable table = homes.table();
        if (table == null) {
            return;
        }
        long end = offset + bytes;
        long next;
        for (long at = offset; at < end; at = next) {
            next = Math.min(end, (at | HomeTable.PAGE_MASK) + 1);
            int home = homeOf(table, at);
            if (home != HomeTable.OWN) {
                long into = HomeTable.offsetOf(home) + (at & HomeTable.PAGE_MASK);
                table.windowOf(home).asSlice(into, next - at).fill((byte) 0);
            }
        }
    }

    private long readAtHome(HomeTable table, long offset, int width) {
        int home = homeOf(table, offset);
        long into = offset & HomeTable.PAGE_MASK;
        if (into + width > HomeTable.PAGE_BYTES) {
            return readAcross(table, offset, width);
        }
        return home == HomeTable.OWN
                ? Words.read(own, offset, width)
                : Words.read(table.windowOf(home), HomeTable.offsetOf(home) | into, width);
    }

    private void writeAtHome(HomeTable table, long offset, int width, long value) {
        int home = homeOf(table, offset);
        long into = offset & HomeTable.PAGE_MASK;
        if (into + width > HomeTable.PAGE_BYTES) {
            writeAcross(table, offset, width, value);
        } else if (home == HomeTable.OWN) {
            Words.write(own, offset, width, value);
        } else {
            Words.write(table.windowOf(home), HomeTable.offsetOf(home) | into, width, value);
        }
    }

    /// Reads across two pages, which may have different homes.
    private long readAcross(HomeTable table, long offset, int width) {
        Objects.checkFromIndexSize(offset, width, ownBytes);
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= readAtHome(table, offset + i, Byte.BYTES) << i * Byte.SIZE;
        }
        return value;
    }

    private void writeAcross(HomeTable table, long offset, int width, long value) {
        Objects.checkFromIndexSize(offset, width, ownBytes);
        for (int i = 0; i < width; i++) {
            writeAtHome(table, offset + i, Byte.BYTES, value >>> i * Byte.SIZE);
        }
    }

    private int homeOf(HomeTable table, long offset) {
        long page = Objects.checkIndex(offset, ownBytes) >>> HomeTable.PAGE_SHIFT;
        return table.homes[firstPage + (int) page];
    }
}
