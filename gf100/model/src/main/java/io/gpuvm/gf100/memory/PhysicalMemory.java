package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/// VRAM and host memory behind one face, addressed as the GPU does after translation.
///
/// Where no memory is, reads give all ones and writes are dropped, as on hardware: no error report
/// exists for it. The same goes for host memory that its owner has cut off since it was mapped: the
/// kernel's signal becomes an [InternalError] in the accessing thread, which is caught and counted.
/// Memory that is sealed against that, VRAM included, is accessed without such care.
///
/// Usable by any thread that may look up host memory.
public final class PhysicalMemory implements MemoryPort {
    private final VramPages vram;
    private final BusMemory host;
    private final AbsenceListener absence;
    private final AtomicLong lostAccesses = new AtomicLong();

    /// @param vram all of the board's own memory, whose pages never move
    /// @param host the host's
    public PhysicalMemory(MemorySegment vram, BusMemory host) {
        this(VramPages.of(vram), host);
    }

    /// @param vram all of the board's own memory
    /// @param host the host's
    public PhysicalMemory(VramPages vram, BusMemory host) {
        this(vram, host, (_, _) -> {});
    }

    /// @param vram all of the board's own memory
    /// @param host the host's
    /// @param absence told, on the accessing thread, when there is no memory
    public PhysicalMemory(VramPages vram, BusMemory host, AbsenceListener absence) {
        this.vram = vram;
        this.host = host;
        this.absence = absence;
    }

    /// Accesses to host memory that its owner had cut off.
    public long lostAccesses() {
        return lostAccesses.get();
    }

    /// Counts one of them, for those who access located memory themselves.
    public void countLostAccess() {
        lostAccesses.incrementAndGet();
    }

    /// Whether all of an access to VRAM lies inside.
    public boolean isVram(long offset, int width) {
        return offset >= 0 && offset <= vram.bytes() - width;
    }

    /// Finds the memory behind an address. Pages of VRAM may move: what is found is right until the
    /// GPU's translations are invalidated, and may end with the page.
    ///
    /// @param target where the address points; null finds nothing
    /// @param span is told
    /// @return whether there is memory
    public boolean locate(MemoryTarget target, long physicalAddress, HostSpan span) {
        if (target == MemoryTarget.VRAM && isVram(physicalAddress, 1)) {
            vram.locate(physicalAddress, span);
            return true;
        }
        if (target != null && target.isSystem() && host.locate(physicalAddress, span)) {
            return true;
        }
        span.nothing();
        absence.onAbsent(target, physicalAddress);
        return false;
    }

    /// Reads 1, 2, 4 or 8 bytes, zero-extended; all ones where no memory is. The address need not
    /// be aligned.
    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        if (target == MemoryTarget.VRAM && isVram(physicalAddress, width)) {
            return vram.read(physicalAddress, width);
        }
        return readFound(target, physicalAddress, width, new HostSpan());
    }

    /// The same without making an object, for those who read much.
    ///
    /// @param span for this method's own use
    public long read(MemoryTarget target, long physicalAddress, int width, HostSpan span) {
        return target == MemoryTarget.VRAM && isVram(physicalAddress, width)
                ? vram.read(physicalAddress, width)
                : readFound(target, physicalAddress, width, span);
    }

    private long readFound(MemoryTarget target, long physicalAddress, int width, HostSpan span) {
        if (!locate(target, physicalAddress, span) || span.bytes() < width) {
            return Words.allOnes(width);
        }
        return span.isFragile()
                ? readGuarded(span.segment(), span.offset(), width)
                : Words.read(span.segment(), span.offset(), width);
    }

    /// Writes 1, 2, 4 or 8 bytes; dropped where no memory is. The address need not be aligned.
    @Override
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {
        if (target == MemoryTarget.VRAM && isVram(physicalAddress, width)) {
            vram.write(physicalAddress, width, value);
            return;
        }
        HostSpan span = new HostSpan();
        if (!locate(target, physicalAddress, span) || span.bytes() < width || !span.isWritable()) {
            return;
        }
        if (span.isFragile()) {
            writeGuarded(span.segment(), span.offset(), width, value);
        } else {
            Words.write(span.segment(), span.offset(), width, value);
        }
    }

    /// Reads located memory that may be fragile; `offset` need not be aligned.
    public long readGuarded(MemorySegment segment, long offset, int width) {
        try {
            long value = Words.read(segment, offset, width);
            settle();
            return value;
        } catch (InternalError e) {
            countLostAccess();
            return Words.allOnes(width);
        }
    }

    /// Writes located memory that may be fragile; `offset` need not be aligned.
    public void writeGuarded(MemorySegment segment, long offset, int width, long value) {
        try {
            Words.write(segment, offset, width, value);
            settle();
        } catch (InternalError e) {
            countLostAccess();
        }
    }

    /// Makes the error of an access just made surface here.
    ///
    /// The virtual machine throws it at the next place where a thread looks for requests, which in
    /// compiled code may lie behind the handler that is meant for it. Leaving native code is such a
    /// place, and this is the cheapest call of the platform that does.
    ///
    /// @throws InternalError if the memory was cut off
    public static void settle() {
        Thread.holdsLock(PhysicalMemory.class);
    }
}
