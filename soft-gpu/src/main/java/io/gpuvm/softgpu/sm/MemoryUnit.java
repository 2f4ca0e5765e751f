package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.invoke.VarHandle;

/// Unit for loads and stores: determines the kind of memory that each lane's address belongs to.
///
/// An access only to global memory whose addresses have a pattern uses a fast path. In other
/// accesses, lanes that share a page of global memory are handled together; the remaining lanes,
/// and all errors, are handled lane by lane.
final class MemoryUnit {
    private static final int LANES = Rows.LANES;
    private static final int WINDOW_SHIFT = 24;
    private static final long LOW = 0xffff_ffffL;
    private static final MemorySize[] SIZES = MemorySize.values();

    /// Minimum number of lanes in a page for which a pass over all lanes is worthwhile.
    private static final int FEW_LANES = 8;

    private final WarpMemory memory;
    private final SharedMemory shared;
    private final LocalMemory local;
    private final ConstantCache constants;
    private final WarpTrap trap;
    private final LanePattern pattern = new LanePattern();
    private final LaneMask lanes = new LaneMask();

    private long sharedBase;
    private long localBase;

    /// Lanes of the last generic access with addresses in shared memory.
    private int sharedLanes;

    /// Lanes of the last generic access with addresses in local memory.
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
        if (isPattern(warp, i, mask, size.bytes())) {
            loadPattern(warp, i, mask, size);
            return;
        }
        int rest = loadPages(warp, i, mask, size);
        if (rest != 0) {
            loadAnyhow(warp, i, rest, size);
        }
    }

    void storeGeneric(Warp warp, Instruction i, int mask) {
        MemorySize size = SIZES[i.mode];
        if (isPattern(warp, i, mask, size.bytes()) && pattern.isStorable(mask)) {
            storePattern(warp, i, size);
            return;
        }
        int rest = storePages(warp, i, mask, size);
        if (rest != 0) {
            storeAnyhow(warp, i, rest, size);
        }
    }

    /// Returns whether the lanes' accesses have a pattern, are aligned, and are in global memory.
    private boolean isPattern(Warp warp, Instruction i, int mask, int bytes) {
        int[] r = warp.registers;
        if (!pattern.find(r, i.a, high(i), mask, lanes.of(mask), bytes)) {
            return false;
        }
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            long gpuVa = gpuVa(r, i, first);
            int length = (pattern.last[group] - first) * pattern.step + bytes;
            // Pages are consecutive unless the lower words overflow.
            long low = i.isExtended ? r[i.a + first] & LOW : gpuVa;
            if ((gpuVa & bytes - 1) != 0
                    || low + length > LOW
                    || !isGlobal(gpuVa, gpuVa + length - 1)) {
                return false;
            }
        }
        return true;
    }

    private void loadPattern(Warp warp, Instruction i, int mask, MemorySize size) {
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            int last = pattern.last[group];
            long gpuVa = gpuVa(warp.registers, i, first);
            if (pattern.step == 0) {
                memory.loadSame(warp, i.result, first, last, mask, gpuVa, size);
            } else {
                memory.loadRun(warp, i.result, first, last, mask, gpuVa, size);
            }
        }
    }

    private void storePattern(Warp warp, Instruction i, MemorySize size) {
        for (int group = 0; group < pattern.groups; group++) {
            int first = pattern.first[group];
            int last = pattern.last[group];
            long gpuVa = gpuVa(warp.registers, i, first);
            if (pattern.step == 0) {
                memory.storeSame(warp, i.data, first, last, gpuVa, size);
            } else {
                memory.storeRun(warp, i.data, first, last, gpuVa, size);
            }
        }
    }

    /// Loads page by page.
    ///
    /// @return remaining lanes: those that share a page with few other lanes, that are not in
    ///   global memory, or whose addresses are invalid
    private int loadPages(Warp warp, Instruction i, int mask, MemorySize size) {
        int rest = mask;
        while (Integer.bitCount(rest) >= FEW_LANES) {
            long page = page(warp.registers, i, rest);
            int inPage = inPage(warp.registers, i, mask, rest, page, size.bytes());
            if (inPage == 0) {
                break;
            }
            memory.loadPage(warp, i.result, inPage, page, size);
            rest &= ~inPage;
        }
        return rest;
    }

    /// Stores page by page.
    ///
    /// @return as [#loadPages]
    private int storePages(Warp warp, Instruction i, int mask, MemorySize size) {
        int rest = mask;
        while (Integer.bitCount(rest) >= FEW_LANES) {
            long page = page(warp.registers, i, rest);
            int inPage = inPage(warp.registers, i, mask, rest, page, size.bytes());
            if (inPage == 0) {
                break;
            }
            memory.storePage(warp, i.data, inPage, page, size);
            rest &= ~inPage;
        }
        return rest;
    }

    /// Returns the page of the first lane.
    private static long page(int[] r, Instruction i, int mask) {
        return gpuVa(r, i, Integer.numberOfTrailingZeros(mask)) & ~ChannelTlb.PAGE_MASK;
    }

    /// Returns the lanes that share a page.
    ///
    /// @param mask lanes of the access
    /// @param rest lanes that have not accessed memory yet
    /// @return lanes in the page; none if these lanes are few or must be handled lane by lane
    private int inPage(int[] r, Instruction i, int mask, int rest, long page, int bytes) {
        long from = i.isExtended ? page - i.offset : page - i.offset & LOW;
        boolean overflows =
                i.isExtended && (from ^ from + ChannelTlb.PAGE_MASK) >>> Integer.SIZE != 0;
        if (overflows || !isGlobal(page, page + ChannelTlb.PAGE_MASK)) {
            return 0;
        }
        int outside = memory.outside(r, i.a, high(i), rest, from, bytes);
        if (outside == 0) {
            return rest;
        }
        int inPage = rest & ~outside;
        if (Integer.bitCount(inPage) < FEW_LANES) {
            return 0;
        }
        // No lane may access memory if the address of any lane is invalid.
        return rest == mask && isMisaligned(r, i, mask, bytes) ? 0 : inPage;
    }

    private boolean isMisaligned(int[] r, Instruction i, int mask, int bytes) {
        int[] meant = lanes.of(mask);
        int wrong = 0;
        for (int l = 0; l < Rows.SPAN; l++) {
            wrong |= r[i.a + l] + i.offset & meant[l];
        }
        return (wrong & bytes - 1) != 0;
    }

    private static int high(Instruction i) {
        return i.isExtended ? Rows.upper(i.a) : Rows.ZERO;
    }

    private static long gpuVa(int[] r, Instruction i, int lane) {
        if (i.isExtended) {
            return ((long) r[Rows.upper(i.a) + lane] << Integer.SIZE | r[i.a + lane] & LOW)
                    + i.offset;
        }
        return r[i.a + lane] + i.offset & LOW;
    }

    /// Returns whether no byte of a range is in a window. The range must be shorter than a window.
    private boolean isGlobal(long from, long to) {
        return from - sharedBase >>> WINDOW_SHIFT != 0
                && to - sharedBase >>> WINDOW_SHIFT != 0
                && from - localBase >>> WINDOW_SHIFT != 0
                && to - localBase >>> WINDOW_SHIFT != 0;
    }

    private void loadAnyhow(Warp warp, Instruction i, int mask, MemorySize size) {
        address(warp, i, mask, size.bytes());
        int windows = sharedLanes | localLanes;
        memory.load(warp, i.result, mask & ~windows, size);
        if (windows != 0) {
            moveToWindows(windows);
            shared.load(warp, i.result, sharedLanes, size);
            if (localLanes != 0) {
                local.load(warp, i.result, localLanes, size);
            }
        }
    }

    private void storeAnyhow(Warp warp, Instruction i, int mask, MemorySize size) {
        address(warp, i, mask, size.bytes());
        int windows = sharedLanes | localLanes;
        memory.store(warp, i.data, mask & ~windows, size);
        if (windows != 0) {
            moveToWindows(windows);
            shared.store(warp, i.data, sharedLanes, size);
            if (localLanes != 0) {
                local.store(warp, i.data, localLanes, size);
            }
        }
    }

    /// Computes the addresses of an access that is only allowed in global memory.
    void addressGlobal(Warp warp, Instruction i, int mask, int bytes) {
        address(warp, i, mask, bytes);
        int windows = sharedLanes | localLanes;
        if (windows != 0) {
            warp.lane = Integer.numberOfTrailingZeros(windows);
            throw trap.of(WarpError.INVALID_ADDR_SPACE);
        }
    }

    private void address(Warp warp, Instruction i, int mask, int bytes) {
        long[] addresses = memory.addresses;
        sharedLanes = 0;
        localLanes = 0;
        long wrong = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long gpuVa = gpuVa(warp.registers, i, lane);
            addresses[lane] = gpuVa;
            wrong |= gpuVa;
            if (gpuVa - sharedBase >>> WINDOW_SHIFT == 0) {
                sharedLanes |= 1 << lane;
            } else if (gpuVa - localBase >>> WINDOW_SHIFT == 0) {
                localLanes |= 1 << lane;
            }
        }
        if ((wrong & bytes - 1) != 0) {
            throw misaligned(warp, mask, bytes);
        }
    }

    private WarpTrap misaligned(Warp warp, int mask, int bytes) {
        int lane = Integer.numberOfTrailingZeros(mask);
        while ((mask >>> lane & 1) == 0 || (memory.addresses[lane] & bytes - 1) == 0) {
            lane++;
        }
        warp.lane = lane;
        return trap.of(WarpError.MISALIGNED_ADDR);
    }

    private void moveToWindows(int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            shared.addresses[lane] = (int) (memory.addresses[lane] - sharedBase);
            local.addresses[lane] = (int) (memory.addresses[lane] - localBase);
        }
    }

    void loadLocal(Warp warp, Instruction i, int mask) {
        local.load(warp, i.a, i.offset, i.result, mask, SIZES[i.mode]);
    }

    void storeLocal(Warp warp, Instruction i, int mask) {
        local.store(warp, i.a, i.offset, i.data, mask, SIZES[i.mode]);
    }

    void loadShared(Warp warp, Instruction i, int mask) {
        shared.load(warp, i.a, i.offset, i.result, mask, SIZES[i.mode]);
    }

    void storeShared(Warp warp, Instruction i, int mask) {
        shared.store(warp, i.a, i.offset, i.data, mask, SIZES[i.mode]);
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

    /// Orders this thread's accesses before and after the fence, for all threads.
    static void fence() {
        VarHandle.fullFence();
    }

    /// Loads from a constant bank, at a separate address for each lane.
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
