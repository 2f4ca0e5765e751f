package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.classes.QueryRecord;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.softgpu.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Memory as an engine sees it: virtual addresses of one channel, accessed in place.
///
/// Every method throws [MmuFault] where the page tables refuse the access; what was written before
/// stays. Where no physical memory is, reads give all ones and writes are dropped. Confined to the
/// engine thread.
public final class GpuMemory {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD = U32.varHandle();
    private static final byte ALL_ONES = -1;

    private final AddressSpace space;

    public GpuMemory(AddressSpace space) {
        this.space = space;
    }

    /// The address space.
    public AddressSpace space() {
        return space;
    }

    /// Reads a word at a multiple of 4, seeing all that was written before it by whoever wrote it
    /// with release order.
    public int read32(long gpuVa) {
        int slot = space.slotForRead(gpuVa);
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            return -1;
        }
        try {
            return (int) WORD.getAcquire(segment, space.hostOffset(slot, gpuVa));
        } catch (InternalError e) {
            space.mmu().memory().countLostAccess();
            return -1;
        }
    }

    /// Reads 8 bytes at a multiple of 8.
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
        return space.mmu().memory().read(segment, space.hostOffset(slot, gpuVa), width);
    }

    /// Writes 1, 2, 4 or 8 bytes that lie in one page.
    public void write(long gpuVa, int width, long value) {
        int slot = space.slotForWrite(gpuVa);
        if (space.takesWrites(slot)) {
            space.mmu()
                    .memory()
                    .write(space.segment(slot), space.hostOffset(slot, gpuVa), width, value);
        }
    }

    /// Writes a word at a multiple of 4, after everything that was written before.
    public void release32(long gpuVa, int value) {
        int slot = space.slotForWrite(gpuVa);
        if (!space.takesWrites(slot)) {
            return;
        }
        try {
            WORD.setRelease(space.segment(slot), space.hostOffset(slot, gpuVa), value);
        } catch (InternalError e) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// Writes a semaphore or query record at a multiple of 4: the value last, after everything that
    /// was written before.
    ///
    /// @param nowNs GPU time
    public void writeRecord(long gpuVa, int value, long nowNs) {
        long time = gpuVa + QueryRecord.TIME;
        write(time, Integer.BYTES, nowNs);
        write(time + Integer.BYTES, Integer.BYTES, nowNs >>> Integer.SIZE);
        write(gpuVa + QueryRecord.ZERO, Integer.BYTES, 0);
        release32(gpuVa, value);
    }

    /// Copies bytes upwards. Neither range may cross a page border: see [#bytesToPageEnd(long)].
    public void copyRun(long targetGpuVa, long sourceGpuVa, int bytes) {
        int to = space.slotForWrite(targetGpuVa);
        boolean drop = !space.takesWrites(to);
        MemorySegment target = space.segment(to);
        long targetOffset = space.hostOffset(to, targetGpuVa);
        // The second lookup may take the first one's slot: both are read out before.
        int from = space.slotForRead(sourceGpuVa);
        MemorySegment source = space.segment(from);
        if (drop) {
            return;
        }
        try {
            if (source == null) {
                target.asSlice(targetOffset, bytes).fill(ALL_ONES);
            } else {
                long sourceOffset = space.hostOffset(from, sourceGpuVa);
                MemorySegment.copy(source, sourceOffset, target, targetOffset, bytes);
            }
        } catch (InternalError e) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// How many bytes from an address on lie in its page.
    public static int bytesToPageEnd(long gpuVa) {
        return (int) (AddressSpace.PAGE_BYTES - (gpuVa & AddressSpace.PAGE_MASK));
    }

    /// How many bytes up to and including an address lie in its page.
    public static int bytesFromPageStart(long gpuVa) {
        return (int) (gpuVa & AddressSpace.PAGE_MASK) + 1;
    }

    /// An address as the engines' 40-bit adders leave it.
    public static long wrap(long gpuVa) {
        return gpuVa & TableGeometry.VA_MASK;
    }
}
