package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/// VRAM and host memory behind a single interface, accessed by the GPU's physical addresses.
///
/// At addresses without memory, reads return all ones and writes are dropped, as on hardware, which
/// does not report such accesses. The same applies to host memory that its owner has truncated
/// after the mapping: the JVM converts SIGBUS to an [InternalError] in the accessing thread; the
/// error is caught and counted. Memory that is sealed against truncation, including VRAM, is
/// accessed without guards.
///
/// Usable by any thread that may call [BusMemory#locate].
public final class PhysicalMemory implements MemoryPort {
    private final VramPages vram;
    private final BusMemory host;
    private final AbsenceListener absence;
    private final AtomicLong lostAccesses = new AtomicLong();

    /// @param vram all of the board's own memory, whose pages never move
    /// @param host host memory
    public PhysicalMemory(MemorySegment vram, BusMemory host) {
        this(VramPages.of(vram), host);
    }

    /// @param vram all of the board's own memory
    /// @param host host memory
    public PhysicalMemory(VramPages vram, BusMemory host) {
        this(vram, host, (_, _) -> {});
    }

    /// @param vram all of the board's own memory
    /// @param host host memory
    /// @param absence called, on the accessing thread, for an access to an address without memory
    public PhysicalMemory(VramPages vram, BusMemory host, AbsenceListener absence) {
        this.vram = vram;
        this.host = host;
        this.absence = absence;
    }

    /// Returns the number of accesses to truncated host memory.
    public long lostAccesses() {
        return lostAccesses.get();
    }

    /// Counts an access to truncated host memory, for callers that access located memory directly.
    public void countLostAccess() {
        lostAccesses.incrementAndGet();
    }

    /// Returns whether an access lies completely inside VRAM.
    public boolean isVram(long offset, int width) {
        return offset >= 0 && offset <= vram.bytes() - width;
    }

    /// Finds the memory behind an address. Pages of VRAM may move: the result is valid until the
    /// GPU's translations are invalidated, and may end at the page boundary.
    ///
    /// @param target memory of the address; null finds nothing
    /// @param span receives the memory
    /// @return whether the address has memory
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

    /// Reads 1, 2, 4 or 8 bytes, zero-extended; all ones if the address has no memory. The address
    /// need not be aligned.
    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        if (target == MemoryTarget.VRAM && isVram(physicalAddress, width)) {
            return vram.read(physicalAddress, width);
        }
        return readFound(target, physicalAddress, width, new HostSpan());
    }

    /// Reads like [#read(MemoryTarget, long, int)], but without allocation, for frequent reads.
    ///
    /// @param span scratch object
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

    /// Writes 1, 2, 4 or 8 bytes; the write is dropped if the address has no memory. The address
    /// need not be aligned.
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

    /// Forces the error of the preceding access to be thrown in this call.
    ///
    /// The JVM throws the error at the thread's next safepoint poll, which in compiled code may be
    /// after the intended handler. The return from native code contains such a poll, and
    /// `Thread.holdsLock` is the cheapest native call of the platform.
    ///
    /// @throws InternalError if the memory was truncated
    public static void settle() {
        Thread.holdsLock(PhysicalMemory.class);
    }
}
