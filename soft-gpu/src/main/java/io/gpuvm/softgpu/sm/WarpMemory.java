package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.softgpu.mmu.AddressSpace;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A channel's memory, accessed by all lanes of a warp at once: in place, with one translation if
/// their addresses share a page, else one for each change of page.
///
/// Accesses go lane by lane in order, so the highest lane's store wins. Addresses are in
/// [#addresses], naturally aligned. Confined to the thread that runs the block.
final class WarpMemory {
    private static final int LANES = Rows.LANES;
    private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final AddressSpace space;

    /// By lane: the address of the access.
    final long[] addresses = new long[LANES];

    WarpMemory(AddressSpace space) {
        this.space = space;
    }

    /// Loads into the lanes of a row, or of several if the access is wider than a word.
    void load(Warp warp, int row, int mask, MemorySize size) {
        if (mask == 0) {
            return;
        }
        if (!sharePage(mask)) {
            loadScattered(warp, row, mask, size);
            return;
        }
        int lane = Integer.numberOfTrailingZeros(mask);
        warp.lane = lane;
        int slot = space.slotForRead(addresses[lane]);
        loadFrom(slot, warp.registers, row, mask, size);
    }

    private void loadScattered(Warp warp, int row, int mask, MemorySize size) {
        int slot = 0;
        long page = -1;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (addresses[lane] >>> AddressSpace.PAGE_SHIFT != page) {
                warp.lane = lane;
                slot = space.slotForRead(addresses[lane]);
                page = addresses[lane] >>> AddressSpace.PAGE_SHIFT;
            }
            loadFrom(slot, warp.registers, row, 1 << lane, size);
        }
    }

    private void loadFrom(int slot, int[] r, int row, int mask, MemorySize size) {
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            fill(r, row, mask, size);
        } else if (space.isFragile(slot)) {
            try {
                read(segment, space.hostOffset(slot, 0), r, row, mask, size);
                PhysicalMemory.settle();
            } catch (InternalError cutOff) {
                space.mmu().memory().countLostAccess();
                fill(r, row, mask, size);
            }
        } else {
            read(segment, space.hostOffset(slot, 0), r, row, mask, size);
        }
    }

    private void read(
            MemorySegment segment, long host, int[] r, int row, int mask, MemorySize size) {
        if (mask == Warp.ALL_LANES && size == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                r[row + l] = segment.get(U32, host + (addresses[l] & AddressSpace.PAGE_MASK));
            }
            return;
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            readOne(
                    segment,
                    host + (addresses[lane] & AddressSpace.PAGE_MASK),
                    r,
                    row + lane,
                    size);
        }
    }

    private static void readOne(
            MemorySegment segment, long offset, int[] r, int at, MemorySize size) {
        switch (size) {
            case U8 -> r[at] = Byte.toUnsignedInt(segment.get(U8, offset));
            case S8 -> r[at] = segment.get(U8, offset);
            case U16 -> r[at] = Short.toUnsignedInt(segment.get(U16, offset));
            case S16 -> r[at] = segment.get(U16, offset);
            default -> {
                int words = size.bytes() / Integer.BYTES;
                for (int k = 0; k < words; k++) {
                    r[at + k * Rows.STRIDE] = segment.get(U32, offset + (long) k * Integer.BYTES);
                }
            }
        }
    }

    /// What a load from a hole gives.
    private static void fill(int[] r, int row, int mask, MemorySize size) {
        int words = Math.max(1, size.bytes() / Integer.BYTES);
        int ones =
                size.signed() || size.bytes() >= Integer.BYTES
                        ? -1
                        : (1 << size.bytes() * Byte.SIZE) - 1;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            for (int k = 0; k < words; k++) {
                r[row + k * Rows.STRIDE + lane] = ones;
            }
        }
    }

    /// Stores the lanes of a row, or of several if the access is wider than a word.
    void store(Warp warp, int row, int mask, MemorySize size) {
        if (mask == 0) {
            return;
        }
        if (!sharePage(mask)) {
            storeScattered(warp, row, mask, size);
            return;
        }
        int lane = Integer.numberOfTrailingZeros(mask);
        warp.lane = lane;
        int slot = space.slotForWrite(addresses[lane]);
        storeTo(slot, warp.registers, row, mask, size);
    }

    private void storeScattered(Warp warp, int row, int mask, MemorySize size) {
        int slot = 0;
        long page = -1;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (addresses[lane] >>> AddressSpace.PAGE_SHIFT != page) {
                warp.lane = lane;
                slot = space.slotForWrite(addresses[lane]);
                page = addresses[lane] >>> AddressSpace.PAGE_SHIFT;
            }
            storeTo(slot, warp.registers, row, 1 << lane, size);
        }
    }

    private void storeTo(int slot, int[] r, int row, int mask, MemorySize size) {
        if (!space.takesWrites(slot)) {
            return;
        }
        MemorySegment segment = space.segment(slot);
        if (space.isFragile(slot)) {
            try {
                write(segment, space.hostOffset(slot, 0), r, row, mask, size);
                PhysicalMemory.settle();
            } catch (InternalError cutOff) {
                space.mmu().memory().countLostAccess();
            }
        } else {
            write(segment, space.hostOffset(slot, 0), r, row, mask, size);
        }
    }

    private void write(
            MemorySegment segment, long host, int[] r, int row, int mask, MemorySize size) {
        if (mask == Warp.ALL_LANES && size == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                segment.set(U32, host + (addresses[l] & AddressSpace.PAGE_MASK), r[row + l]);
            }
            return;
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long offset = host + (addresses[lane] & AddressSpace.PAGE_MASK);
            writeOne(segment, offset, r, row, lane, size);
        }
    }

    private static void writeOne(
            MemorySegment segment, long offset, int[] r, int row, int lane, MemorySize size) {
        switch (size) {
            case U8, S8 -> segment.set(U8, offset, (byte) r[row + lane]);
            case U16, S16 -> segment.set(U16, offset, (short) r[row + lane]);
            default -> {
                int words = size.bytes() / Integer.BYTES;
                int from = row;
                for (int k = 0; k < words; k++) {
                    segment.set(U32, offset + (long) k * Integer.BYTES, r[from + lane]);
                    from = Rows.upper(from);
                }
            }
        }
    }

    /// Whether all of the lanes' addresses are in one page.
    private boolean sharePage(int mask) {
        long first = addresses[Integer.numberOfTrailingZeros(mask)];
        long differing = 0;
        if (mask == Warp.ALL_LANES) {
            for (int l = 0; l < LANES; l++) {
                differing |= addresses[l] ^ first;
            }
        } else {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                differing |= addresses[Integer.numberOfTrailingZeros(rest)] ^ first;
            }
        }
        return differing >>> AddressSpace.PAGE_SHIFT == 0;
    }
}
