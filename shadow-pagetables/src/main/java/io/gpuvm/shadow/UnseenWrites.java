package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VramShare;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;

/// Detector of a guest's untrapped writes to pages of VRAM that the guest accesses as plain memory.
///
/// ```text
///   page --differs from copy?--> read once  --words that differ--> copy, and marks
///                                             users <--read only---/
/// ```
///
/// Each exposed page that is tracked has a copy. Users read only the copy, so that the compared
/// value is the used value, regardless of concurrent writes by other processors of the guest. While
/// there is no space for a copy, the whole page counts as changed at each comparison.
final class UnseenWrites {
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final GuestReader reader;
    private final KeptPages copies;
    private final ShadowCounters counters;
    private final BitSet exposed;
    private final long[] taken = new long[GuestReader.PAGE_WORDS];

    /// Tracked pages that are exposed, in no particular order.
    private TrackedPage[] pages = new TrackedPage[16];

    private int count;

    UnseenWrites(VramShare share, GuestReader reader, KeptPages copies, ShadowCounters counters) {
        this.reader = reader;
        this.copies = copies;
        this.counters = counters;
        exposed = new BitSet(Math.toIntExact(share.bytes() >>> GuestReader.PAGE_SHIFT));
    }

    /// Returns the number of pages to compare.
    int count() {
        return count;
    }

    /// Returns a page to compare.
    TrackedPage page(int place) {
        return pages[place];
    }

    /// Sets whether a page may be written without traps.
    void expose(int page, boolean isExposed) {
        exposed.set(page, isExposed);
    }

    /// Returns whether a page may be written without traps.
    boolean isExposed(int page) {
        return exposed.get(page);
    }

    /// Adds a tracked and exposed page. Earlier changes are already marked or have been read.
    void add(TrackedPage page) {
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
        }
        page.unseenPlace = count;
        pages[count++] = page;
        keep(page);
    }

    /// Removes a page.
    void remove(TrackedPage page) {
        TrackedPage last = pages[--count];
        pages[count] = null;
        if (last != page) {
            last.unseenPlace = page.unseenPlace;
            pages[page.unseenPlace] = last;
        }
        page.unseenPlace = TrackedPage.NOWHERE;
        if (page.isKept()) {
            copies.giveBack(page.copy);
            page.copy = KeptPages.NONE;
        }
    }

    /// Marks the words of a page that have changed without a trap.
    ///
    /// @return whether any word has changed
    boolean compare(TrackedPage page) {
        if (!page.isKept()) {
            keep(page);
            page.markAll();
            return true;
        }
        counters.add(ShadowCounter.BYTES_COMPARED, GuestReader.PAGE_BYTES);
        MemorySegment memory = copies.memory();
        long start = start(page);
        if (reader.isCopy(page.guestVram(), memory, start)) {
            return false;
        }
        reader.page(MemoryTarget.VRAM, page.guestVram(), taken);
        boolean changed = false;
        for (int word = 0; word < taken.length; word++) {
            long at = start + (long) word * Long.BYTES;
            if (memory.get(U64, at) != taken[word]) {
                memory.set(U64, at, taken[word]);
                page.mark(word);
                changed = true;
            }
        }
        return changed;
    }

    /// Updates the marked words of a page's copy, before users are notified.
    ///
    /// @param marks one bit for each word
    void take(TrackedPage page, long[] marks) {
        for (int i = 0; i < marks.length; i++) {
            for (long left = marks[i]; left != 0; left &= left - 1) {
                int word = i * Long.SIZE + Long.numberOfTrailingZeros(left);
                long offset = (long) word * Long.BYTES;
                long value = reader.word(MemoryTarget.VRAM, page.guestVram() + offset);
                copies.memory().set(U64, start(page) + offset, value);
            }
        }
    }

    /// Returns a word of a page's copy.
    long word(TrackedPage page, long guestVram) {
        return copies.memory().get(U64, start(page) + guestVram - page.guestVram());
    }

    /// Reads the whole copy of a page.
    void copy(TrackedPage page, long[] into) {
        MemorySegment.copy(copies.memory(), U64, start(page), into, 0, GuestReader.PAGE_WORDS);
    }

    private void keep(TrackedPage page) {
        page.copy = copies.take();
        if (page.isKept()) {
            reader.page(MemoryTarget.VRAM, page.guestVram(), taken);
            MemorySegment.copy(taken, 0, copies.memory(), U64, start(page), GuestReader.PAGE_WORDS);
        }
    }

    private static long start(TrackedPage page) {
        return (long) page.copy << GuestReader.PAGE_SHIFT;
    }
}
