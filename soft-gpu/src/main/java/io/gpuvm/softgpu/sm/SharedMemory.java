package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Rows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A block's shared memory, with a lock for each word.
///
/// A lock excludes only other locking loads, not plain accesses. Lanes access in order, so the
/// store of the highest lane wins.
final class SharedMemory {
    /// Size of a multiprocessor's shared memory, in bytes.
    static final int MOST_BYTES = 48 << 10;

    /// Unit of allocation, in bytes (CUDA occupancy calculator, compute capability 2.x).
    private static final int UNIT_BYTES = 128;

    private static final int LANES = Rows.LANES;
    private static final int WORD_SHIFT = 2;
    private static final int BYTE_IN_WORD = Integer.BYTES - 1;

    private final int[] words = new int[MOST_BYTES / Integer.BYTES];
    private final boolean[] locks = new boolean[MOST_BYTES / Integer.BYTES];
    private final WarpTrap trap;
    private final LanePattern pattern = new LanePattern();
    private final LaneMask lanes = new LaneMask();
    private int size;

    /// Address of the access, by lane.
    final int[] addresses = new int[Rows.SPAN];

    SharedMemory(WarpTrap trap) {
        this.trap = trap;
    }

    /// Clears the memory for a block. The size is rounded up to whole units.
    void begin(int sizeBytes) {
        size = (sizeBytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
        Arrays.fill(words, 0, size / Integer.BYTES, 0);
        Arrays.fill(locks, 0, size / Integer.BYTES, false);
    }

    /// Returns a copy of the content.
    byte[] toArray() {
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words, 0, size / Integer.BYTES);
        return bytes.array();
    }

    /// Returns whether all loads of lanes are valid. Generated code calls this method before the
    /// loads.
    ///
    /// @param r a warp's registers
    /// @param row row of the addresses to which the offsets of the loads are added
    /// @param lanes lanes that load
    /// @param start smallest offset
    /// @param length number of bytes from the smallest offset to the end of the last load
    /// @param aligned offset of the load with the strictest alignment
    /// @param alignment alignment of that load, a power of two
    boolean covers(int[] r, int row, int lanes, int start, int length, int aligned, int alignment) {
        int last = size - length;
        if (last < 0) {
            return false;
        }
        int wrong = 0;
        for (int l = 0; l < Rows.SPAN; l++) {
            int bit = r[Rows.LANE_BITS + l] & lanes;
            int address = r[row + l] + start;
            int outside = (address | last - address) >>> Integer.SIZE - 1;
            int misaligned = r[row + l] + aligned & alignment - 1;
            wrong |= (outside | misaligned) & (bit | -bit) >> Integer.SIZE - 1;
        }
        return wrong == 0;
    }

    /// Returns the word at an address that has been checked.
    int word(int address) {
        return words[address >>> WORD_SHIFT];
    }

    /// Loads from the addresses that a row of registers contains, into another row.
    ///
    /// @param base row of addresses
    /// @param offset offset that is added to the addresses
    /// @param row row that receives the values
    /// @param mask lanes that load, at least one
    void load(Warp warp, int base, int offset, int row, int mask, MemorySize width) {
        if (!isPattern(warp.registers, base, offset, mask, width.bytes())) {
            locate(warp, base, offset, mask, width.bytes());
            gather(warp.registers, row, mask, width);
            return;
        }
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            int last = pattern.last[group];
            int address = warp.registers[base + first] + offset;
            if (pattern.step == 0) {
                read(address, warp.registers, row + first, width);
                LaneMask.spread(warp.registers, row, first, last, mask, words(width));
            } else {
                loadRun(warp.registers, row, first, last, mask, address, width);
            }
        }
    }

    /// Returns whether accesses have a pattern, are aligned, and are inside the memory.
    private boolean isPattern(int[] r, int base, int offset, int mask, int width) {
        if (!pattern.find(r, base, Rows.ZERO, mask, lanes.of(mask), width)) {
            return false;
        }
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            int address = r[base + first] + offset;
            int length = (pattern.last[group] - first) * pattern.step + width;
            if ((address & width - 1) != 0 || address < 0 || address > size - length) {
                return false;
            }
        }
        return true;
    }

    private void loadRun(
            int[] r, int row, int first, int last, int mask, int address, MemorySize width) {
        int run = LaneMask.lanes(first, last);
        if ((run & ~mask) == 0) {
            readRun(r, row, first, last, address, width);
            return;
        }
        readRun(r, Rows.MASKED, first, last, address, width);
        LaneMask.blend(r, row, Rows.MASKED, lanes.of(run & mask), words(width));
    }

    private void readRun(int[] r, int row, int first, int last, int address, MemorySize width) {
        if (width == MemorySize.B32) {
            System.arraycopy(words, address >>> WORD_SHIFT, r, row + first, last + 1 - first);
            return;
        }
        for (int l = first; l <= last; l++) {
            read(address + (l - first) * width.bytes(), r, row + l, width);
        }
    }

    /// Loads from [#addresses].
    void load(Warp warp, int row, int mask, MemorySize width) {
        check(warp, mask, width.bytes());
        gather(warp.registers, row, mask, width);
    }

    private void gather(int[] r, int row, int mask, MemorySize width) {
        int[] at = addresses;
        if (mask != Warp.ALL_LANES || width.bytes() < Integer.BYTES) {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                read(at[lane], r, row + lane, width);
            }
            return;
        }
        int[] from = words;
        for (int l = 0; l < LANES; l++) {
            r[row + l] = from[at[l] >>> WORD_SHIFT];
        }
        for (int k = 1; k < words(width); k++) {
            int to = row + k * Rows.STRIDE;
            for (int l = 0; l < LANES; l++) {
                r[to + l] = from[(at[l] >>> WORD_SHIFT) + k];
            }
        }
    }

    private void read(int address, int[] r, int at, MemorySize width) {
        int word = address >>> WORD_SHIFT;
        int shifted = words[word] >>> (address & BYTE_IN_WORD) * Byte.SIZE;
        switch (width) {
            case U8 -> r[at] = Byte.toUnsignedInt((byte) shifted);
            case S8 -> r[at] = (byte) shifted;
            case U16 -> r[at] = Short.toUnsignedInt((short) shifted);
            case S16 -> r[at] = (short) shifted;
            default -> {
                r[at] = shifted;
                for (int k = 1; k < words(width); k++) {
                    r[at + k * Rows.STRIDE] = words[word + k];
                }
            }
        }
    }

    /// Stores to the addresses in a row.
    ///
    /// @param base row of addresses
    /// @param offset offset that is added to the addresses
    /// @param mask lanes that store, at least one
    void store(Warp warp, int base, int offset, int row, int mask, MemorySize width) {
        if (!isPattern(warp.registers, base, offset, mask, width.bytes())
                || !pattern.isStorable(mask)) {
            locate(warp, base, offset, mask, width.bytes());
            scatter(warp.registers, row, mask, width);
            return;
        }
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            int last = pattern.last[group];
            int address = warp.registers[base + first] + offset;
            if (pattern.step == 0) {
                write(address, warp.registers, row, last, width);
            } else {
                writeRun(warp.registers, row, first, last, address, width);
            }
        }
    }

    private void writeRun(int[] r, int row, int first, int last, int address, MemorySize width) {
        if (width == MemorySize.B32) {
            System.arraycopy(r, row + first, words, address >>> WORD_SHIFT, last + 1 - first);
            return;
        }
        for (int l = first; l <= last; l++) {
            write(address + (l - first) * width.bytes(), r, row, l, width);
        }
    }

    /// Stores to [#addresses].
    void store(Warp warp, int row, int mask, MemorySize width) {
        check(warp, mask, width.bytes());
        scatter(warp.registers, row, mask, width);
    }

    private void scatter(int[] r, int row, int mask, MemorySize width) {
        int[] at = addresses;
        if (mask != Warp.ALL_LANES || width.bytes() < Integer.BYTES) {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                write(at[lane], r, row, lane, width);
            }
            return;
        }
        int[] to = words;
        for (int l = 0; l < LANES; l++) {
            to[at[l] >>> WORD_SHIFT] = r[row + l];
        }
        int from = row;
        for (int k = 1; k < words(width); k++) {
            from = Rows.upper(from);
            for (int l = 0; l < LANES; l++) {
                to[(at[l] >>> WORD_SHIFT) + k] = r[from + l];
            }
        }
    }

    private void write(int address, int[] r, int row, int lane, MemorySize width) {
        int word = address >>> WORD_SHIFT;
        if (width.bytes() < Integer.BYTES) {
            int shift = (address & BYTE_IN_WORD) * Byte.SIZE;
            int bits = (1 << width.bytes() * Byte.SIZE) - 1;
            words[word] = words[word] & ~(bits << shift) | (r[row + lane] & bits) << shift;
            return;
        }
        int from = row;
        for (int k = 0; k < words(width); k++) {
            words[word + k] = r[from + lane];
            from = Rows.upper(from);
        }
    }

    /// Loads, and acquires the lock of each lane's word if the lock is free.
    ///
    /// @return lanes that have acquired the lock
    int lock(Warp warp, int row, int mask, MemorySize width) {
        load(warp, row, mask, width);
        int taken = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int word = addresses[lane] / Integer.BYTES;
            if (!locks[word]) {
                locks[word] = true;
                taken |= 1 << lane;
            }
        }
        return taken;
    }

    /// Stores, and releases the locks.
    void unlock(Warp warp, int row, int mask, MemorySize width) {
        store(warp, row, mask, width);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            locks[addresses[Integer.numberOfTrailingZeros(rest)] / Integer.BYTES] = false;
        }
    }

    /// Records addresses, and checks them.
    private void locate(Warp warp, int base, int offset, int mask, int width) {
        int[] r = warp.registers;
        int[] to = addresses;
        int[] meant = lanes.of(mask);
        int highest = size - width;
        int misplaced = 0;
        for (int l = 0; l < Rows.SPAN; l++) {
            int address = r[base + l] + offset;
            to[l] = address;
            // The sign bit is set if the address is before the start or after the end.
            int outside = (address | highest - address) & Integer.MIN_VALUE;
            misplaced |= (outside | address & width - 1) & meant[l];
        }
        if (misplaced != 0) {
            check(warp, mask, width);
        }
    }

    private void check(Warp warp, int mask, int width) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int address = addresses[lane];
            boolean isMisaligned = (address & width - 1) != 0;
            if (isMisaligned || address < 0 || address > size - width) {
                warp.lane = lane;
                throw trap.of(isMisaligned ? WarpError.MISALIGNED_ADDR : WarpError.OOR_ADDR);
            }
        }
    }

    private static int words(MemorySize width) {
        return LaneTransfer.words(width);
    }
}
