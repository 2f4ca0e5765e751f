package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// GPFIFO of a channel: its location, its read position, and the USERD area through which driver
/// and channel exchange positions.
///
/// If USERD has no memory, the ring counts as empty. Confined to the engine thread.
final class Ring {
    private static final int MAX_ORDER = 30;
    private static final long ENTRY_ALIGNMENT_MASK = -GpfifoEntry.BYTES;

    private final PhysicalMemory physical;
    private final HostSpan span = new HostSpan();
    private final Userd userd = new Userd();
    private boolean hasUserd;

    private MemoryTarget userdTarget;
    private long userdAddress;
    private long gpuVa;
    private int order;
    private int get;
    private int put;

    Ring(PhysicalMemory physical) {
        this.physical = physical;
    }

    /// Loads location and position from RAMFC.
    ///
    /// @return false if the ring's size is beyond the range of an index; the ring must not be used
    ///   then
    boolean load(Ramfc ramfc) {
        userdTarget = ramfc.userdTarget();
        userdAddress = ramfc.userdAddress();
        gpuVa = ramfc.ringGpuVa() & ENTRY_ALIGNMENT_MASK;
        order = ramfc.ringOrder();
        if (order > MAX_ORDER) {
            return false;
        }
        get = ramfc.ibGet() & lastIndex();
        put = get;
        refresh();
        return true;
    }

    /// Locates USERD again; must be called when the register thread may have run since the last
    /// call.
    void refresh() {
        hasUserd =
                physical.locate(userdTarget, userdAddress, span)
                        && span.bytes() >= Userd.BYTES
                        && span.isWritable();
        if (hasUserd) {
            userd.wrap(span.segment(), span.offset());
        }
    }

    /// Raises the errors of pending accesses to USERD: an access to truncated memory fails in this
    /// method; see [PhysicalMemory#settle()].
    private void settle() {
        if (span.isFragile()) {
            PhysicalMemory.settle();
        }
    }

    /// Reads the driver's put index.
    ///
    /// @return false if the index is outside the ring
    boolean readPut() {
        int said = hasUserd ? userd.ibPut() : get;
        settle();
        if (Integer.compareUnsigned(said, lastIndex()) > 0) {
            put = get;
            return false;
        }
        put = said;
        return true;
    }

    /// Returns whether an entry was pending when the put index was last read.
    boolean hasEntry() {
        return get != put;
    }

    /// Returns the next entry. [#hasEntry()] must be true.
    long peek(VirtualMemory memory) {
        return memory.read64(gpuVa + (long) get * GpfifoEntry.BYTES);
    }

    /// Advances to the next entry and publishes the get index to the driver.
    void advance() {
        get = get + 1 & lastIndex();
        if (hasUserd) {
            userd.ibGet(get);
            settle();
        }
    }

    /// Returns the index of the next entry.
    int get() {
        return get;
    }

    /// Publishes to the driver the position up to which segments have been read.
    ///
    /// @param main whether the segment belongs to the main push buffer
    void tellPosition(long wordGpuVa, boolean main) {
        if (hasUserd) {
            userd.get(wordGpuVa);
            if (main) {
                userd.mget(wordGpuVa);
            }
            settle();
        }
    }

    /// Publishes a reference count to the driver.
    void tellReference(int count) {
        if (hasUserd) {
            userd.refCount(count);
            settle();
        }
    }

    private int lastIndex() {
        return (1 << order) - 1;
    }
}
