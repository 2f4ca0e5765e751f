package io.gpuvm.shadow;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Reader of a guest's memory. Reads each word once, so that the checked value is the used value.
/// Absent memory reads as zeros, which are entries that are not present.
///
/// Confined to the virtual machine's thread.
final class GuestReader {
    static final int PAGE_SHIFT = 12;
    static final int PAGE_BYTES = 1 << PAGE_SHIFT;

    /// Number of words in a page.
    static final int PAGE_WORDS = PAGE_BYTES / Long.BYTES;

    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long[] BLANK = new long[PAGE_WORDS];

    private final PhysicalMemory memory;
    private final HostSpan span = new HostSpan();

    GuestReader(PhysicalMemory memory) {
        this.memory = memory;
    }

    /// Reads an aligned word.
    long word(MemoryTarget target, long guestAddress) {
        if (!memory.locate(target, guestAddress, span) || span.bytes() < Long.BYTES) {
            return 0;
        }
        return span.isFragile()
                ? memory.readGuarded(span.segment(), span.offset(), Long.BYTES)
                : Words.read(span.segment(), span.offset(), Long.BYTES);
    }

    /// Copies an aligned page.
    ///
    /// @return whether the page exists; `into` is filled with zeros otherwise
    boolean page(MemoryTarget target, long guestAddress, long[] into) {
        if (memory.locate(target, guestAddress, span) && span.bytes() >= PAGE_BYTES) {
            try {
                MemorySegment.copy(span.segment(), U64, span.offset(), into, 0, PAGE_WORDS);
                if (span.isFragile()) {
                    PhysicalMemory.settle();
                }
                return true;
            } catch (InternalError cutOff) {
                memory.countLostAccess();
            }
        }
        Arrays.fill(into, 0);
        return false;
    }

    /// Returns whether a page of VRAM equals a copy of it.
    ///
    /// @param at start of the copy
    boolean isCopy(long guestVram, MemorySegment copies, long at) {
        if (!memory.locate(MemoryTarget.VRAM, guestVram, span) || span.bytes() < PAGE_BYTES) {
            return false;
        }
        long from = span.offset();
        MemorySegment page = span.segment();
        return MemorySegment.mismatch(page, from, from + PAGE_BYTES, copies, at, at + PAGE_BYTES)
                < 0;
    }

    /// Returns whether `count` words, which fill at most one page, are zero.
    static boolean isBlank(long[] words, int first, int count) {
        return Arrays.mismatch(words, first, first + count, BLANK, 0, count) < 0;
    }
}
