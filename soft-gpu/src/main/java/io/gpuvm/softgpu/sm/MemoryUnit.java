package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.invoke.VarHandle;

/// Loads and stores: finds out which memory each lane means.
final class MemoryUnit {
    private static final int LANES = Rows.LANES;
    private static final int WINDOW_SHIFT = 24;
    private static final long LOW = 0xffff_ffffL;
    private static final MemorySize[] SIZES = MemorySize.values();

    private final WarpMemory memory;
    private final SharedMemory shared;
    private final LocalMemory local;
    private final ConstantCache constants;
    private final WarpTrap trap;

    private long sharedBase;
    private long localBase;

    /// Lanes of the last generic access that meant shared, and local, memory.
    private int sharedLanes;

    private int localLanes;

    MemoryUnit(
            WarpMemory memory,
            SharedMemory shared,
            LocalMemory local,
            ConstantCache constants,
            WarpTrap trap) {
        this.memory = memory;
        this.shared = shared;
        this.local = local;
        this.constants = constants;
        this.trap = trap;
    }

    void load(Launch launch) {
        sharedBase = Integer.toUnsignedLong(launch.windows().sharedBase());
        localBase = Integer.toUnsignedLong(launch.windows().localBase());
    }

    void loadGeneric(Warp warp, Instruction i, int mask) {
        MemorySize size = SIZES[i.mode];
        address(warp, i, mask, size.bytes());
        int windows = sharedLanes | localLanes;
        if (windows != 0) {
            moveToWindows(windows);
            // Global lanes first: local memory uses their place for addresses.
            memory.load(warp, i.result, mask & ~windows, size);
            shared.load(warp, i.result, sharedLanes, size);
            if (localLanes != 0) {
                local.load(warp, i.result, localLanes, size);
            }
        } else {
            memory.load(warp, i.result, mask, size);
        }
    }

    void storeGeneric(Warp warp, Instruction i, int mask) {
        MemorySize size = SIZES[i.mode];
        address(warp, i, mask, size.bytes());
        int windows = sharedLanes | localLanes;
        if (windows != 0) {
            moveToWindows(windows);
            memory.store(warp, i.data, mask & ~windows, size);
            shared.store(warp, i.data, sharedLanes, size);
            if (localLanes != 0) {
                local.store(warp, i.data, localLanes, size);
            }
        } else {
            memory.store(warp, i.data, mask, size);
        }
    }

    /// Computes addresses of an access that may only mean global memory.
    void addressGlobal(Warp warp, Instruction i, int mask, int bytes) {
        address(warp, i, mask, bytes);
        int windows = sharedLanes | localLanes;
        if (windows != 0) {
            warp.lane = Integer.numberOfTrailingZeros(windows);
            throw trap.of(WarpError.INVALID_ADDR_SPACE);
        }
    }

    private void address(Warp warp, Instruction i, int mask, int bytes) {
        int[] r = warp.registers;
        long[] addresses = memory.addresses;
        int low = i.a;
        if (i.isExtended) {
            int high = Rows.upper(low);
            for (int l = 0; l < LANES; l++) {
                addresses[l] = ((long) r[high + l] << Integer.SIZE | r[low + l] & LOW) + i.offset;
            }
        } else {
            for (int l = 0; l < LANES; l++) {
                addresses[l] = r[low + l] + i.offset & LOW;
            }
        }
        int inShared = 0;
        int inLocal = 0;
        int misaligned = 0;
        for (int l = 0; l < LANES; l++) {
            inShared |= (addresses[l] - sharedBase >>> WINDOW_SHIFT == 0 ? 1 : 0) << l;
            inLocal |= (addresses[l] - localBase >>> WINDOW_SHIFT == 0 ? 1 : 0) << l;
            misaligned |= ((addresses[l] & bytes - 1) != 0 ? 1 : 0) << l;
        }
        sharedLanes = inShared & mask;
        localLanes = inLocal & ~inShared & mask;
        if ((misaligned & mask) != 0) {
            warp.lane = Integer.numberOfTrailingZeros(misaligned & mask);
            throw trap.of(WarpError.MISALIGNED_ADDR);
        }
    }

    private void moveToWindows(int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            shared.addresses[lane] = (int) (memory.addresses[lane] - sharedBase);
            local.addresses[lane] = (int) (memory.addresses[lane] - localBase);
        }
    }

    void loadLocal(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, local.addresses);
        local.load(warp, i.result, mask, SIZES[i.mode]);
    }

    void storeLocal(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, local.addresses);
        local.store(warp, i.data, mask, SIZES[i.mode]);
    }

    void loadShared(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, shared.addresses);
        shared.load(warp, i.result, mask, SIZES[i.mode]);
    }

    void storeShared(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, shared.addresses);
        shared.store(warp, i.data, mask, SIZES[i.mode]);
    }

    void loadSharedLocking(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, shared.addresses);
        int taken = shared.lock(warp, i.result, mask, SIZES[i.mode]);
        warp.predicate(i.pdst, mask, taken);
    }

    void storeSharedUnlocking(Warp warp, Instruction i, int mask) {
        addressOf(warp, i, shared.addresses);
        shared.unlock(warp, i.data, mask, SIZES[i.mode]);
    }

    private static void addressOf(Warp warp, Instruction i, int[] addresses) {
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            addresses[l] = r[i.a + l] + i.offset;
        }
    }

    /// Orders this thread's accesses before and after it, for everybody.
    static void fence() {
        VarHandle.fullFence();
    }

    /// Loads from a constant bank at an address of each lane's own.
    void loadConstant(Warp warp, Instruction i, int mask) {
        MemorySize size = SIZES[i.mode];
        int[] addresses = shared.addresses;
        addressOf(warp, i, addresses);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            warp.lane = lane;
            constant(warp, i, lane, addresses[lane], size);
        }
    }

    private void constant(Warp warp, Instruction i, int lane, int address, MemorySize size) {
        if ((address & size.bytes() - 1) != 0) {
            throw trap.of(WarpError.MISALIGNED_ADDR);
        }
        int at = i.result + lane;
        int[] r = warp.registers;
        if (size.bytes() >= Integer.BYTES) {
            for (int k = 0; k < size.bytes() / Integer.BYTES; k++) {
                r[at + k * Rows.STRIDE] = constant(i.bank, address + k * Integer.BYTES);
            }
            return;
        }
        int shifted = constant(i.bank, address & -Integer.BYTES) >>> (address & 3) * Byte.SIZE;
        int unused = Integer.SIZE - size.bytes() * Byte.SIZE;
        r[at] = size.signed() ? shifted << unused >> unused : shifted << unused >>> unused;
    }

    private int constant(int bank, int offset) {
        return constants.word(bank, offset, WarpError.INVALID_CONST_ADDR_LDC);
    }
}
