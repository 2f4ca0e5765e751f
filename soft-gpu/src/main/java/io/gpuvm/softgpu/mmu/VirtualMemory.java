package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.QueryRecord;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Memory as an engine accesses it: by virtual address of one channel, in place.
///
/// Every access throws [MmuFault] if the page tables refuse the access; earlier writes remain. At
/// addresses without physical memory, reads return all ones and writes are dropped. Confined to the
/// engine thread.
public final class VirtualMemory {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD = U32.varHandle();
    private static final byte ALL_ONES = -1;

    private final ChannelTlb space;

    public VirtualMemory(ChannelTlb space) {
        this.space = space;
    }

    /// Returns the address space.
    public ChannelTlb space() {
        return space;
    }

    /// Reads a word, at a 4-byte-aligned address, with acquire ordering: writes before the word's
    /// release store are visible.
    public int read32(long gpuVa) {
        int slot = space.slotForRead(gpuVa);
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            return -1;
        }
        long offset = space.hostOffset(slot, gpuVa);
        if (space.isFragile(slot)) {
            int value = (int) space.mmu().memory().readGuarded(segment, offset, Integer.BYTES);
            VarHandle.acquireFence();
            return value;
        }
        return (int) WORD.getAcquire(segment, offset);
    }

    /// Reads 8 bytes at an 8-byte-aligned address.
    public long read64(long gpuVa) {
        return read(gpuVa, Long.BYTES);
    }

    /// Reads 1, 2, 4 or 8 bytes that lie in one page.
    public long read(long gpuVa, int width) {
        int slot = space.slotForRead(gpuVa);
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            return Words.allOnes(width);
        }
        long offset = space.hostOffset(slot, gpuVa);
        return space.isFragile(slot)
                ? space.mmu().memory().readGuarded(segment, offset, width)
                : Words.read(segment, offset, width);
    }

    /// Writes 1, 2, 4 or 8 bytes that lie in one page.
    public void write(long gpuVa, int width, long value) {
        int slot = space.slotForWrite(gpuVa);
        if (!space.takesWrites(slot)) {
            return;
        }
        MemorySegment segment = space.segment(slot);
        long offset = space.hostOffset(slot, gpuVa);
        if (space.isFragile(slot)) {
            space.mmu().memory().writeGuarded(segment, offset, width, value);
        } else {
            Words.write(segment, offset, width, value);
        }
    }

    /// Writes a word, at a 4-byte-aligned address, with release ordering: after all earlier writes.
    public void release32(long gpuVa, int value) {
        int slot = space.slotForWrite(gpuVa);
        if (!space.takesWrites(slot)) {
            return;
        }
        MemorySegment segment = space.segment(slot);
        long offset = space.hostOffset(slot, gpuVa);
        if (space.isFragile(slot)) {
            VarHandle.releaseFence();
            space.mmu().memory().writeGuarded(segment, offset, Integer.BYTES, value);
        } else {
            WORD.setRelease(segment, offset, value);
        }
    }

    /// Writes a semaphore or query record at a 4-byte-aligned address. The value is written last,
    /// after all earlier writes.
    ///
    /// @param nowNs GPU time, in nanoseconds
    public void writeRecord(long gpuVa, int value, long nowNs) {
        writeRecord(gpuVa, value, 0, nowNs);
    }

    /// Writes a record with the given second word instead of zero.
    public void writeRecord(long gpuVa, int value, int second, long nowNs) {
        long time = gpuVa + QueryRecord.TIME;
        write(time, Integer.BYTES, nowNs);
        write(time + Integer.BYTES, Integer.BYTES, nowNs >>> Integer.SIZE);
        write(gpuVa + QueryRecord.ZERO, Integer.BYTES, second);
        release32(gpuVa, value);
    }

    /// Copies bytes as if all were read before the first is written. The copy ends where memory on
    /// either side is no longer contiguous in this process, at a page boundary or later.
    ///
    /// @param atMost maximum number of bytes, more than 0
    /// @return number of bytes copied
    public int copyRun(long targetGpuVa, long sourceGpuVa, int atMost) {
        int to = space.slotForWrite(targetGpuVa);
        boolean drop = !space.takesWrites(to);
        boolean fragile = space.isFragile(to);
        MemorySegment target = space.segment(to);
        long targetOffset = space.hostOffset(to, targetGpuVa);
        int bytes = Math.min(atMost, space.runBytes(to, targetGpuVa, atMost));
        // The second lookup may reuse the slot of the first, whose values are therefore read before
        // it.
        int from = space.slotForRead(sourceGpuVa);
        bytes = Math.min(bytes, space.runBytes(from, sourceGpuVa, bytes));
        if (drop) {
            return bytes;
        }
        MemorySegment source = space.segment(from);
        long sourceOffset = space.hostOffset(from, sourceGpuVa);
        if (source == null) {
            fill(target, targetOffset, bytes);
        } else if (fragile || space.isFragile(from)) {
            copyGuarded(source, sourceOffset, target, targetOffset, bytes);
        } else if (bytes == BlockLinear.RUN_BYTES) {
            long low = source.get(U64, sourceOffset);
            long high = source.get(U64, sourceOffset + Long.BYTES);
            target.set(U64, targetOffset, low);
            target.set(U64, targetOffset + Long.BYTES, high);
        } else {
            MemorySegment.copy(source, sourceOffset, target, targetOffset, bytes);
        }
        return bytes;
    }

    /// Fills a range with a repeated pattern of 16 bytes. The range must not cross a page boundary.
    ///
    /// @param bytes length of the range, a multiple of 16
    /// @param low the first 8 of the 16 bytes
    public void fillRun(long gpuVa, int bytes, long low, long high) {
        int slot = space.slotForWrite(gpuVa);
        if (!space.takesWrites(slot)) {
            return;
        }
        MemorySegment target = space.segment(slot);
        long offset = space.hostOffset(slot, gpuVa);
        if (space.isFragile(slot)) {
            try {
                fill(target, offset, bytes, low, high);
                PhysicalMemory.settle();
            } catch (InternalError e) {
                space.mmu().memory().countLostAccess();
            }
        } else {
            fill(target, offset, bytes, low, high);
        }
    }

    private static void fill(MemorySegment target, long offset, int bytes, long low, long high) {
        for (int at = 0; at < bytes; at += 2 * Long.BYTES) {
            target.set(U64, offset + at, low);
            target.set(U64, offset + at + Long.BYTES, high);
        }
    }

    private void copyGuarded(
            MemorySegment source, long sourceOffset, MemorySegment target, long offset, int bytes) {
        try {
            MemorySegment.copy(source, sourceOffset, target, offset, bytes);
            PhysicalMemory.settle();
        } catch (InternalError e) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// Writes the result of a copy from a hole: all ones.
    private void fill(MemorySegment target, long offset, int bytes) {
        try {
            target.asSlice(offset, bytes).fill(ALL_ONES);
            PhysicalMemory.settle();
        } catch (InternalError e) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// Returns the number of bytes from an address to the end of its page.
    public static int bytesToPageEnd(long gpuVa) {
        return (int) (ChannelTlb.PAGE_BYTES - (gpuVa & ChannelTlb.PAGE_MASK));
    }

    /// Returns the number of bytes from the start of an address's page up to and including the
    /// address.
    public static int bytesFromPageStart(long gpuVa) {
        return (int) (gpuVa & ChannelTlb.PAGE_MASK) + 1;
    }

    /// Returns an address truncated to 40 bits, like the results of the engines' adders.
    public static long wrap(long gpuVa) {
        return gpuVa & TableGeometry.VA_MASK;
    }
}
