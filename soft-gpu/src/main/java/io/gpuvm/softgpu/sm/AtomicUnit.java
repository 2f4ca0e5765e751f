package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.RoundingModes;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// ATOM and RED: atomic with respect to all other threads of this process, and of any other process
/// that maps the memory. Lanes execute in order; adjacent lanes that access the same word are
/// combined.
///
/// Float sums are rounded to nearest, and denormals are flushed (PTX manual, `atom`).
final class AtomicUnit {
    private static final AtomicOp[] OPS = AtomicOp.values();
    private static final AtomicType[] TYPES = types();
    private static final long LOW = 0xffff_ffffL;
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final MemoryUnit unit;
    private final WarpMemory memory;
    private final ChannelTlb space;

    /// Former value of the word, by lane.
    private final int[] olds = new int[Rows.LANES];

    AtomicUnit(MemoryUnit unit, WarpMemory memory, ChannelTlb space) {
        this.unit = unit;
        this.memory = memory;
        this.space = space;
    }

    /// Returns the types, by code in instructions.
    private static AtomicType[] types() {
        AtomicType[] types = new AtomicType[16];
        for (AtomicType type : AtomicType.values()) {
            types[type.code()] = type;
        }
        return types;
    }

    /// @param wantsOld whether the old value is written to the result register
    void execute(Warp warp, Instruction i, int mask, boolean wantsOld) {
        AtomicType type = TYPES[i.mode2];
        unit.addressGlobal(warp, i, mask, type.bytes());
        int slot = 0;
        long page = -1;
        boolean isPlain = false;
        for (int rest = mask; rest != 0; ) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long gpuVa = memory.addresses[lane];
            if (gpuVa >>> ChannelTlb.PAGE_SHIFT != page) {
                warp.lane = lane;
                slot = space.slotForWrite(gpuVa);
                page = gpuVa >>> ChannelTlb.PAGE_SHIFT;
                isPlain = space.takesWrites(slot) && !space.isFragile(slot);
            }
            int after = rest & rest - 1;
            if (isPlain && type != AtomicType.U64 && startsWith(after, gpuVa)) {
                int together = together(rest, gpuVa);
                rest &= ~together;
                MemorySegment segment = space.segment(slot);
                combine(segment, space.hostOffset(slot, gpuVa), warp, i, together, type);
                if (wantsOld) {
                    put(warp.registers, i.result, together);
                }
                continue;
            }
            rest = after;
            long old = lane(slot, warp.registers, i, lane, type);
            if (wantsOld) {
                warp.registers[i.result + lane] = (int) old;
                if (type == AtomicType.U64) {
                    warp.registers[i.result + Rows.STRIDE + lane] = (int) (old >>> Integer.SIZE);
                }
            }
        }
    }

    /// Returns whether the first lane of a set accesses a word.
    private boolean startsWith(int lanes, long gpuVa) {
        return lanes != 0 && memory.addresses[Integer.numberOfTrailingZeros(lanes)] == gpuVa;
    }

    /// Returns the leading lanes of a set that all access the given word.
    private int together(int lanes, long gpuVa) {
        int together = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (memory.addresses[lane] != gpuVa) {
                break;
            }
            together |= 1 << lane;
        }
        return together;
    }

    private void put(int[] r, int row, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            r[row + lane] = olds[lane];
        }
    }

    /// Applies the operations of several lanes to a word, as one atomic operation.
    private void combine(
            MemorySegment segment,
            long offset,
            Warp warp,
            Instruction i,
            int lanes,
            AtomicType type) {
        int[] r = warp.registers;
        if (OPS[i.mode] == AtomicOp.ADD && type != AtomicType.F32) {
            int sum = follow(r, i, lanes, type, 0);
            int old = (int) U32.getAndAdd(segment, offset, sum);
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                olds[Integer.numberOfTrailingZeros(rest)] += old;
            }
            return;
        }
        int found = (int) U32.getVolatile(segment, offset);
        int old;
        do {
            old = found;
            int fresh = follow(r, i, lanes, type, old);
            found = (int) U32.compareAndExchange(segment, offset, old, fresh);
        } while (found != old);
    }

    /// Returns a word after the operations of several lanes in order; records the value that each
    /// lane reads.
    private int follow(int[] r, Instruction i, int lanes, AtomicType type, int start) {
        AtomicOp op = OPS[i.mode];
        int value = start;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            olds[lane] = value;
            value = updated(op, value, r[i.data + lane], r[i.swap + lane], type);
        }
        return value;
    }

    private long lane(int slot, int[] r, Instruction i, int lane, AtomicType type) {
        long gpuVa = memory.addresses[lane];
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            return -1;
        }
        long offset = space.hostOffset(slot, gpuVa);
        boolean writes = space.takesWrites(slot);
        if (!space.isFragile(slot)) {
            return writes ? apply(segment, offset, r, i, lane, type) : old(segment, offset, type);
        }
        try {
            long old =
                    writes ? apply(segment, offset, r, i, lane, type) : old(segment, offset, type);
            PhysicalMemory.settle();
            return old;
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
            return -1;
        }
    }

    /// Reads a word, and leaves the memory unchanged.
    private static long old(MemorySegment segment, long offset, AtomicType type) {
        return type == AtomicType.U64
                ? (long) U64.getVolatile(segment, offset)
                : (int) U32.getVolatile(segment, offset);
    }

    private static long apply(
            MemorySegment segment, long offset, int[] r, Instruction i, int lane, AtomicType type) {
        int data = r[i.data + lane];
        if (type == AtomicType.U64) {
            return wide(segment, offset, OPS[i.mode], pair(r, i.data, lane), pair(r, i.swap, lane));
        }
        return switch (OPS[i.mode]) {
            case EXCH -> (int) U32.getAndSet(segment, offset, data);
            case CAS -> (int) U32.compareAndExchange(segment, offset, data, r[i.swap + lane]);
            case ADD ->
                    type == AtomicType.F32
                            ? update(segment, offset, AtomicOp.ADD, data, type)
                            : (int) U32.getAndAdd(segment, offset, data);
            case AND -> (int) U32.getAndBitwiseAnd(segment, offset, data);
            case OR -> (int) U32.getAndBitwiseOr(segment, offset, data);
            case XOR -> (int) U32.getAndBitwiseXor(segment, offset, data);
            case MIN, MAX, INC, DEC -> update(segment, offset, OPS[i.mode], data, type);
        };
    }

    private static long wide(
            MemorySegment segment, long offset, AtomicOp op, long data, long swap) {
        return switch (op) {
            case EXCH -> (long) U64.getAndSet(segment, offset, data);
            case CAS -> (long) U64.compareAndExchange(segment, offset, data, swap);
            default -> (long) U64.getAndAdd(segment, offset, data);
        };
    }

    private static long pair(int[] r, int row, int lane) {
        return (long) r[Rows.upper(row) + lane] << Integer.SIZE | r[row + lane] & LOW;
    }

    private static int update(
            MemorySegment segment, long offset, AtomicOp op, int data, AtomicType type) {
        int old = (int) U32.getVolatile(segment, offset);
        while (true) {
            int fresh = updated(op, old, data, 0, type);
            int found = (int) U32.compareAndExchange(segment, offset, old, fresh);
            if (found == old) {
                return old;
            }
            old = found;
        }
    }

    private static int updated(AtomicOp op, int old, int data, int swap, AtomicType type) {
        return switch (op) {
            case ADD -> type == AtomicType.F32 ? sum(old, data) : old + data;
            case MIN -> isBelow(old, data, type) ? old : data;
            case MAX -> isBelow(old, data, type) ? data : old;
            case INC -> Integer.compareUnsigned(old, data) >= 0 ? 0 : old + 1;
            case DEC -> old == 0 || Integer.compareUnsigned(old, data) > 0 ? data : old - 1;
            case AND -> old & data;
            case OR -> old | data;
            case XOR -> old ^ data;
            case EXCH -> data;
            case CAS -> old == data ? swap : old;
        };
    }

    private static int sum(int old, int data) {
        return Floats.flush(
                Floats.add(Floats.flush(old), Floats.flush(data), RoundingModes.NEAREST));
    }

    private static boolean isBelow(int a, int b, AtomicType type) {
        return type == AtomicType.S32 ? a < b : Integer.compareUnsigned(a, b) < 0;
    }
}
