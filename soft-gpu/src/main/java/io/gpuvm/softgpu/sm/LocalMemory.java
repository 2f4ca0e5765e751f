package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Rows;

/// The local memory of a multiprocessor's warps, in the memory that the channel gives for it: word
/// by word, the words of a warp's lanes side by side.
///
/// A thread's local addresses count up from 0, and down from the end of the window; what lies
/// between is not there. A warp's share is 32 times what a thread has, then its call stack, which
/// is kept elsewhere here.
final class LocalMemory {
    private static final int LANES = Rows.LANES;
    private static final int WINDOW_BYTES = 1 << 24;

    /// Warps that a multiprocessor has room for.
    private static final int WARPS = 48;

    private final WarpMemory memory;
    private final WarpTrap trap;
    private final int number;
    private Launch launch;
    private long warpBytes;

    /// By lane: the local address of the access.
    final int[] addresses = new int[LANES];

    LocalMemory(int number, WarpMemory memory, WarpTrap trap) {
        this.number = number;
        this.memory = memory;
        this.trap = trap;
    }

    void load(Launch launch) {
        this.launch = launch;
        ThreadStorage storage = launch.storage();
        long threadBytes = (long) storage.localPositiveBytes() + storage.localNegativeBytes();
        warpBytes = LANES * threadBytes + storage.callStackBytes();
    }

    void load(Warp warp, int row, int mask, MemorySize size) {
        for (int k = 0; k < words(size); k++) {
            locate(warp, mask, size, k);
            memory.load(warp, row + k * Rows.STRIDE, mask, part(size));
        }
    }

    void store(Warp warp, int row, int mask, MemorySize size) {
        int from = row;
        for (int k = 0; k < words(size); k++) {
            locate(warp, mask, size, k);
            memory.store(warp, from, mask, part(size));
            from = Rows.upper(from);
        }
    }

    private static int words(MemorySize size) {
        return Math.max(1, size.bytes() / Integer.BYTES);
    }

    private static MemorySize part(MemorySize size) {
        return size.bytes() < Integer.BYTES ? size : MemorySize.B32;
    }

    /// Finds the addresses of one word of the lanes' accesses.
    private void locate(Warp warp, int mask, MemorySize size, int word) {
        long start = (number * WARPS + warp.number) * warpBytes;
        if (start + warpBytes > launch.windows().tempBytes()) {
            warp.lane = Integer.numberOfTrailingZeros(mask);
            throw trap.of(WarpError.OOR_ADDR);
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int offset = offset(warp, lane, size.bytes()) + word * Integer.BYTES;
            long into = (long) (offset & -Integer.BYTES) * LANES + lane * Integer.BYTES;
            memory.addresses[lane] =
                    launch.windows().tempGpuVa() + start + into + (offset & Integer.BYTES - 1);
        }
    }

    /// Where an address lies in what a thread has.
    private int offset(Warp warp, int lane, int bytes) {
        int address = addresses[lane] & WINDOW_BYTES - 1;
        int positive = launch.storage().localPositiveBytes();
        int negative = launch.storage().localNegativeBytes();
        if ((address & bytes - 1) != 0) {
            warp.lane = lane;
            throw trap.of(WarpError.MISALIGNED_ADDR);
        }
        if (address <= positive - bytes) {
            return address;
        }
        int fromTop = address - (WINDOW_BYTES - negative);
        if (fromTop < 0 || fromTop > negative - bytes) {
            warp.lane = lane;
            throw trap.of(WarpError.OOR_ADDR);
        }
        return positive + fromTop;
    }
}
