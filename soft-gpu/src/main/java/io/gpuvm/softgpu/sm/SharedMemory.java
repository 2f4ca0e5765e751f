package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A block's shared memory, with a lock for each of its words.
///
/// What a locked word's lock keeps out are other locking loads only; plain accesses go through.
final class SharedMemory {
    /// Most that a multiprocessor has.
    static final int MOST_BYTES = 48 << 10;

    /// Unit in which it is given out (CUDA occupancy calculator, compute capability 2.x).
    private static final int UNIT_BYTES = 128;

    private static final int LANES = Rows.LANES;
    private static final VarHandle U16 =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle U32 =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes = new byte[MOST_BYTES];
    private final boolean[] locks = new boolean[MOST_BYTES / Integer.BYTES];
    private final WarpTrap trap;
    private int size;

    /// By lane: the address of the access.
    final int[] addresses = new int[LANES];

    SharedMemory(WarpTrap trap) {
        this.trap = trap;
    }

    /// Empties it for a block, which has what it asked for in whole units.
    void begin(int sizeBytes) {
        size = (sizeBytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
        Arrays.fill(bytes, 0, size, (byte) 0);
        Arrays.fill(locks, 0, size / Integer.BYTES, false);
    }

    /// A copy of what it holds.
    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    /// Whether loads of lanes find what they want: for generated code, which asks before it begins.
    ///
    /// @param r a warp's registers
    /// @param row what lanes add to the offsets of their loads
    /// @param lanes those that are meant
    /// @param start the least of the offsets
    /// @param length bytes from there to the end of the last load
    /// @param aligned the offset of the load that has to be aligned best
    /// @param alignment of that one, a power of two
    boolean covers(int[] r, int row, int lanes, int start, int length, int aligned, int alignment) {
        int last = size - length;
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

    /// The word at an address that has been looked at.
    int word(int address) {
        return (int) U32.get(bytes, address);
    }

    void load(Warp warp, int row, int mask, MemorySize width) {
        check(warp, mask, width.bytes());
        int[] r = warp.registers;
        if (mask == Warp.ALL_LANES && width == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                r[row + l] = (int) U32.get(bytes, addresses[l]);
            }
            return;
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            read(addresses[lane], r, row + lane, width);
        }
    }

    private void read(int address, int[] r, int at, MemorySize width) {
        switch (width) {
            case U8 -> r[at] = Byte.toUnsignedInt(bytes[address]);
            case S8 -> r[at] = bytes[address];
            case U16 -> r[at] = Short.toUnsignedInt((short) U16.get(bytes, address));
            case S16 -> r[at] = (short) U16.get(bytes, address);
            default -> {
                int words = width.bytes() / Integer.BYTES;
                for (int k = 0; k < words; k++) {
                    r[at + k * Rows.STRIDE] = (int) U32.get(bytes, address + k * Integer.BYTES);
                }
            }
        }
    }

    void store(Warp warp, int row, int mask, MemorySize width) {
        check(warp, mask, width.bytes());
        int[] r = warp.registers;
        if (mask == Warp.ALL_LANES && width == MemorySize.B32) {
            for (int l = 0; l < LANES; l++) {
                U32.set(bytes, addresses[l], r[row + l]);
            }
            return;
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            write(addresses[lane], r, row, lane, width);
        }
    }

    private void write(int address, int[] r, int row, int lane, MemorySize width) {
        switch (width) {
            case U8, S8 -> bytes[address] = (byte) r[row + lane];
            case U16, S16 -> U16.set(bytes, address, (short) r[row + lane]);
            default -> {
                int words = width.bytes() / Integer.BYTES;
                int from = row;
                for (int k = 0; k < words; k++) {
                    U32.set(bytes, address + k * Integer.BYTES, r[from + lane]);
                    from = Rows.upper(from);
                }
            }
        }
    }

    /// Loads, and takes the lock of each lane's word if it is free.
    ///
    /// @return lanes that have got the lock
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

    /// Stores, and gives the locks back.
    void unlock(Warp warp, int row, int mask, MemorySize width) {
        store(warp, row, mask, width);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            locks[addresses[Integer.numberOfTrailingZeros(rest)] / Integer.BYTES] = false;
        }
    }

    private void check(Warp warp, int mask, int width) {
        int wrong = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int address = addresses[lane];
            if (address < 0 || address > size - width || (address & width - 1) != 0) {
                wrong |= 1 << lane;
            }
        }
        if (wrong != 0) {
            warp.lane = Integer.numberOfTrailingZeros(wrong);
            boolean misaligned = (addresses[warp.lane] & width - 1) != 0;
            throw trap.of(misaligned ? WarpError.MISALIGNED_ADDR : WarpError.OOR_ADDR);
        }
    }
}
