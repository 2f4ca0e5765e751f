package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Rows;

/// Local memory of a multiprocessor's warps, in memory that the channel provides: word by word,
/// with the words of a warp's lanes adjacent.
///
/// A thread's local addresses count up from 0, and down from the end of the window; addresses in
/// between do not exist. A warp's share is 32 times the size for a thread, then the call stack,
/// which this implementation stores elsewhere.
final class LocalMemory {
    private static final int LANES = Rows.LANES;
    private static final int WINDOW_BYTES = 1 << 24;

    /// Maximum number of warps in a multiprocessor.
    private static final int WARPS = 48;

    /// Distance between consecutive words of a thread, in bytes.
    private static final int ROW_BYTES = LANES * Integer.BYTES;

    private static final long NO_RUN = -1;

    private final WarpMemory memory;
    private final WarpTrap trap;
    private final int number;
    private final LanePattern pattern = new LanePattern();
    private final LaneMask lanes = new LaneMask();
    private MemoryWindows windows;
    private int positiveBytes;
    private int negativeBytes;
    private long warpBytes;

    /// Local address of the access, by lane.
    final int[] addresses = new int[Rows.SPAN];

    LocalMemory(int number, WarpMemory memory, WarpTrap trap) {
        this.number = number;
        this.memory = memory;
        this.trap = trap;
    }

    void load(Launch launch) {
        windows = launch.windows();
        ThreadStorage storage = launch.storage();
        positiveBytes = storage.localPositiveBytes();
        negativeBytes = storage.localNegativeBytes();
        warpBytes = LANES * ((long) positiveBytes + negativeBytes) + storage.callStackBytes();
    }

    /// Loads from the local addresses in a row.
    ///
    /// @param base row of addresses
    /// @param offset offset that is added to the addresses
    /// @param mask lanes that load, at least one
    void load(Warp warp, int base, int offset, int row, int mask, MemorySize size) {
        long gpuVa = runOf(warp, base, offset, mask, size);
        if (gpuVa == NO_RUN) {
            takeDown(warp.registers, base, offset);
            load(warp, row, mask, size);
            return;
        }
        for (int k = 0; k < words(size); k++) {
            memory.loadRun(
                    warp,
                    row + k * Rows.STRIDE,
                    pattern.first[0],
                    pattern.last[0],
                    mask,
                    gpuVa + (long) k * ROW_BYTES,
                    MemorySize.B32);
        }
    }

    /// Stores to the local addresses in a row.
    ///
    /// @param base row of addresses
    /// @param offset offset that is added to the addresses
    /// @param mask lanes that store, at least one
    void store(Warp warp, int base, int offset, int row, int mask, MemorySize size) {
        long gpuVa = runOf(warp, base, offset, mask, size);
        int first = Integer.numberOfTrailingZeros(mask);
        int last = LANES - 1 - Integer.numberOfLeadingZeros(mask);
        if (gpuVa == NO_RUN || LaneMask.lanes(first, last) != mask) {
            takeDown(warp.registers, base, offset);
            store(warp, row, mask, size);
            return;
        }
        int from = row;
        for (int k = 0; k < words(size); k++) {
            memory.storeRun(warp, from, first, last, gpuVa + (long) k * ROW_BYTES, MemorySize.B32);
            from = Rows.upper(from);
        }
    }

    /// Returns the address of the first lane's word if all lanes have the same valid local address
    /// and access whole words; otherwise [#NO_RUN].
    private long runOf(Warp warp, int base, int offset, int mask, MemorySize size) {
        int bytes = size.bytes();
        int[] r = warp.registers;
        long start = startOf(warp);
        if (bytes < Integer.BYTES
                || start + warpBytes > windows.tempBytes()
                || !pattern.find(r, base, Rows.ZERO, mask, lanes.of(mask), bytes)
                || pattern.step != 0
                || pattern.groups != 1) {
            return NO_RUN;
        }
        int place = place(r[base + pattern.first[0]] + offset & WINDOW_BYTES - 1, bytes);
        if (place < 0) {
            return NO_RUN;
        }
        return windows.tempGpuVa()
                + start
                + (long) place * LANES
                + pattern.first[0] * Integer.BYTES;
    }

    private void takeDown(int[] r, int base, int offset) {
        for (int l = 0; l < Rows.SPAN; l++) {
            addresses[l] = r[base + l] + offset;
        }
    }

    /// Loads from [#addresses].
    void load(Warp warp, int row, int mask, MemorySize size) {
        for (int k = 0; k < words(size); k++) {
            locate(warp, mask, size, k);
            memory.load(warp, row + k * Rows.STRIDE, mask, part(size));
        }
    }

    /// Stores to [#addresses].
    void store(Warp warp, int row, int mask, MemorySize size) {
        int from = row;
        for (int k = 0; k < words(size); k++) {
            locate(warp, mask, size, k);
            memory.store(warp, from, mask, part(size));
            from = Rows.upper(from);
        }
    }

    private static int words(MemorySize size) {
        return LaneTransfer.words(size);
    }

    private static MemorySize part(MemorySize size) {
        return size.bytes() < Integer.BYTES ? size : MemorySize.B32;
    }

    /// Returns the start of a warp's share.
    private long startOf(Warp warp) {
        return (number * WARPS + warp.number) * warpBytes;
    }

    /// Computes the addresses of one word of the lanes' accesses.
    private void locate(Warp warp, int mask, MemorySize size, int word) {
        long start = startOf(warp);
        if (start + warpBytes > windows.tempBytes()) {
            warp.lane = Integer.numberOfTrailingZeros(mask);
            throw trap.of(WarpError.OOR_ADDR);
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int place = checkedPlace(warp, lane, size.bytes()) + word * Integer.BYTES;
            long into = (long) (place & -Integer.BYTES) * LANES + lane * Integer.BYTES;
            memory.addresses[lane] =
                    windows.tempGpuVa() + start + into + (place & Integer.BYTES - 1);
        }
    }

    private int checkedPlace(Warp warp, int lane, int bytes) {
        int address = addresses[lane] & WINDOW_BYTES - 1;
        int place = place(address, bytes);
        if (place < 0) {
            warp.lane = lane;
            boolean isMisaligned = (address & bytes - 1) != 0;
            throw trap.of(isMisaligned ? WarpError.MISALIGNED_ADDR : WarpError.OOR_ADDR);
        }
        return place;
    }

    /// Returns the offset of an address in a thread's local memory; negative if the address is
    /// misaligned or does not exist.
    private int place(int address, int bytes) {
        if ((address & bytes - 1) != 0) {
            return -1;
        }
        if (address <= positiveBytes - bytes) {
            return address;
        }
        int fromTop = address - (WINDOW_BYTES - negativeBytes);
        return fromTop < 0 || fromTop > negativeBytes - bytes ? -1 : positiveBytes + fromTop;
    }
}
