package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Copies the words that a warp's lanes load or store between a memory segment and rows of
/// registers, for one lane, lanes with contiguous accesses, or lanes with addresses in one page. An
/// access wider than a word uses one row per word.
final class LaneTransfer {
    private static final int LANES = Rows.LANES;
    private static final long LOW = 0xffff_ffffL;

    // Accesses are aligned; these layouts only omit the check.
    private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LaneTransfer() {}

    /// Loads lanes from contiguous addresses.
    ///
    /// @param at index of the first lane's word in the registers
    static void readRun(
            MemorySegment segment, long offset, int[] r, int at, int count, MemorySize size) {
        switch (size) {
            case B32 -> MemorySegment.copy(segment, U32, offset, r, at, count);
            case B64 -> {
                for (int n = 0; n < count; n++) {
                    read64(segment, offset + (long) n * Long.BYTES, r, at + n);
                }
            }
            case B128 -> {
                for (int n = 0; n < count; n++) {
                    read128(segment, offset + (long) n * 2 * Long.BYTES, r, at + n);
                }
            }
            default -> {
                for (int n = 0; n < count; n++) {
                    readOne(segment, offset + (long) n * size.bytes(), r, at + n, size);
                }
            }
        }
    }

    /// Loads one lane.
    ///
    /// @param at index of the lane's word in the registers
    static void readOne(MemorySegment segment, long offset, int[] r, int at, MemorySize size) {
        switch (size) {
            case U8 -> r[at] = Byte.toUnsignedInt(segment.get(U8, offset));
            case S8 -> r[at] = segment.get(U8, offset);
            case U16 -> r[at] = Short.toUnsignedInt(segment.get(U16, offset));
            case S16 -> r[at] = segment.get(U16, offset);
            case B32 -> r[at] = segment.get(U32, offset);
            case B64 -> read64(segment, offset, r, at);
            case B128 -> read128(segment, offset, r, at);
        }
    }

    /// Loads lanes of a mask from their offsets in a page.
    ///
    /// @param page offset of the page in the segment
    /// @param at offset in the page, by lane
    static void readPlaces(
            MemorySegment segment,
            long page,
            int[] at,
            int[] r,
            int row,
            int mask,
            MemorySize size) {
        if (mask == Warp.ALL_LANES && size == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                r[row + l] = segment.get(U32, page + at[l]);
            }
        } else if (size == MemorySize.B32) {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                r[row + lane] = segment.get(U32, page + at[lane]);
            }
        } else {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                readOne(segment, page + at[lane], r, row + lane, size);
            }
        }
    }

    private static void read64(MemorySegment segment, long offset, int[] r, int at) {
        long value = segment.get(U64, offset);
        r[at] = (int) value;
        r[at + Rows.STRIDE] = (int) (value >>> Integer.SIZE);
    }

    private static void read128(MemorySegment segment, long offset, int[] r, int at) {
        read64(segment, offset, r, at);
        read64(segment, offset + Long.BYTES, r, at + 2 * Rows.STRIDE);
    }

    /// Fills registers with the result of a load from a hole: all ones.
    static void fill(int[] r, int row, int mask, MemorySize size) {
        int ones =
                size.signed() || size.bytes() >= Integer.BYTES
                        ? -1
                        : (1 << size.bytes() * Byte.SIZE) - 1;
        for (int k = 0; k < words(size); k++) {
            LaneMask.fill(r, row + k * Rows.STRIDE, ones, mask);
        }
    }

    /// Stores lanes to contiguous addresses.
    static void writeRun(
            MemorySegment segment,
            long offset,
            int[] r,
            int row,
            int lane,
            int count,
            MemorySize size) {
        switch (size) {
            case B32 -> MemorySegment.copy(r, row + lane, segment, U32, offset, count);
            case B64 -> {
                for (int n = 0; n < count; n++) {
                    write64(segment, offset + (long) n * Long.BYTES, r, row, lane + n);
                }
            }
            case B128 -> {
                for (int n = 0; n < count; n++) {
                    write128(segment, offset + (long) n * 2 * Long.BYTES, r, row, lane + n);
                }
            }
            default -> {
                for (int n = 0; n < count; n++) {
                    writeOne(segment, offset + (long) n * size.bytes(), r, row, lane + n, size);
                }
            }
        }
    }

    /// Stores one lane.
    static void writeOne(
            MemorySegment segment, long offset, int[] r, int row, int lane, MemorySize size) {
        switch (size) {
            case U8, S8 -> segment.set(U8, offset, (byte) r[row + lane]);
            case U16, S16 -> segment.set(U16, offset, (short) r[row + lane]);
            case B32 -> segment.set(U32, offset, r[row + lane]);
            case B64 -> write64(segment, offset, r, row, lane);
            case B128 -> write128(segment, offset, r, row, lane);
        }
    }

    /// Stores lanes of a mask to their offsets in a page.
    ///
    /// @param page offset of the page in the segment
    /// @param at offset in the page, by lane
    static void writePlaces(
            MemorySegment segment,
            long page,
            int[] at,
            int[] r,
            int row,
            int mask,
            MemorySize size) {
        if (mask == Warp.ALL_LANES && size == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                segment.set(U32, page + at[l], r[row + l]);
            }
        } else if (size == MemorySize.B32) {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                segment.set(U32, page + at[lane], r[row + lane]);
            }
        } else {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                writeOne(segment, page + at[lane], r, row, lane, size);
            }
        }
    }

    private static void write64(MemorySegment segment, long offset, int[] r, int row, int lane) {
        long value = (long) r[Rows.upper(row) + lane] << Integer.SIZE | r[row + lane] & LOW;
        segment.set(U64, offset, value);
    }

    private static void write128(MemorySegment segment, long offset, int[] r, int row, int lane) {
        write64(segment, offset, r, row, lane);
        write64(segment, offset + Long.BYTES, r, Rows.upper(Rows.upper(row)), lane);
    }

    /// Returns the number of registers of an access.
    static int words(MemorySize size) {
        return Math.max(1, size.bytes() / Integer.BYTES);
    }
}
