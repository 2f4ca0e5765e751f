package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// A channel's GPFIFO: where it is, how far it has been read, and the USERD area that tells and
/// asks.
///
/// A USERD that has no memory behind it says that the ring is empty. Confined to the engine thread.
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

    /// Takes position and place from RAMFC.
    ///
    /// @return false if the ring has a size that no index can count; it must not be used then
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

    /// Finds USERD again; to be called whenever the register thread may have run meanwhile.
    void refresh() {
        hasUserd =
                physical.locate(userdTarget, userdAddress, span)
                        && span.bytes() >= Userd.BYTES
                        && span.isWritable();
        if (hasUserd) {
            userd.wrap(span.segment(), span.offset());
        }
    }

    /// Makes an access to a USERD that was cut off fail here; see [PhysicalMemory#settle()].
    private void settle() {
        if (span.isFragile()) {
            PhysicalMemory.settle();
        }
    }

    /// Looks how far the driver has come.
    ///
    /// @return false if it says an index outside the ring
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

    /// Whether an entry waits, as far as was looked.
    boolean hasEntry() {
        return get != put;
    }

    /// The next entry. Only while [#hasEntry()].
    long peek(VirtualMemory memory) {
        return memory.read64(gpuVa + (long) get * GpfifoEntry.BYTES);
    }

    /// Goes on to the entry after it and tells the driver that it was read.
    void advance() {
        get = get + 1 & lastIndex();
        if (hasUserd) {
            userd.ibGet(get);
            settle();
        }
    }

    /// Index of the next entry.
    int get() {
        return get;
    }

    /// Tells the driver up to which word segments have been read.
    ///
    /// @param main whether the segment is one of the main push buffer
    void tellPosition(long wordGpuVa, boolean main) {
        if (hasUserd) {
            userd.get(wordGpuVa);
            if (main) {
                userd.mget(wordGpuVa);
            }
            settle();
        }
    }

    /// Tells the driver a reference count.
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
