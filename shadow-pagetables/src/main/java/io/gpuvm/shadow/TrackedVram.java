package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VramShare;

/// Which pages of a guest's VRAM hold something that its shadows were made from, and which words of
/// those the guest has written since: told of each write, or found by comparing where it writes
/// unseen.
final class TrackedVram {
    private final GuestReader reader;
    private final UnseenWrites unseen;
    private final TrackedPage[] pages;

    /// Pages with marks.
    private TrackedPage marked;

    private final long[] marks = new long[TrackedPage.MARK_WORDS];
    private PageUser[] users = new PageUser[16];

    TrackedVram(VramShare share, GuestReader reader, UnseenWrites unseen) {
        this.reader = reader;
        this.unseen = unseen;
        pages = new TrackedPage[Math.toIntExact(share.bytes() >>> GuestReader.PAGE_SHIFT)];
    }

    /// Starts telling a user of changes. What it has not read yet it reads with [#page].
    ///
    /// @param guestVram start of its first page, in the VRAM
    /// @param bytes how much it reads; what lies behind the VRAM does not count
    void attach(PageUser user, long guestVram, long bytes) {
        for (int page = firstPage(guestVram); page < endPage(guestVram, bytes); page++) {
            if (pages[page] == null) {
                pages[page] = new TrackedPage((long) page << GuestReader.PAGE_SHIFT);
                if (unseen.isExposed(page)) {
                    unseen.add(pages[page]);
                }
            }
            pages[page].add(user);
        }
    }

    /// Takes back [#attach].
    void detach(PageUser user, long guestVram, long bytes) {
        for (int page = firstPage(guestVram); page < endPage(guestVram, bytes); page++) {
            if (pages[page].remove(user)) {
                if (pages[page].isUnseen()) {
                    unseen.remove(pages[page]);
                }
                pages[page] = null;
            }
        }
    }

    /// The guest has written some bytes.
    void onWrite(long guestVram, int width) {
        mark(guestVram);
        long last = guestVram + width - 1;
        if ((last ^ guestVram) >= Long.BYTES) {
            mark(last);
        }
    }

    /// Writes to a page may go unseen from now on.
    void expose(long guestVram) {
        if (isInside(guestVram)) {
            int number = firstPage(guestVram);
            unseen.expose(number, true);
            TrackedPage page = pages[number];
            if (page != null && !page.isUnseen()) {
                unseen.add(page);
            }
        }
    }

    /// Every write to a page is seen from now on.
    void conceal(long guestVram) {
        if (isInside(guestVram)) {
            int number = firstPage(guestVram);
            unseen.expose(number, false);
            TrackedPage page = pages[number];
            if (page != null && page.isUnseen()) {
                compare(page);
                unseen.remove(page);
            }
        }
    }

    /// Whether there is something to compare.
    boolean hasUnseen() {
        return unseen.count() > 0;
    }

    /// Marks what was written unseen.
    void compareAll() {
        for (int i = 0; i < unseen.count(); i++) {
            compare(unseen.page(i));
        }
    }

    /// Marks what was written unseen to the page of an address.
    void compare(long guestVram) {
        TrackedPage page = pageOf(guestVram);
        if (page != null && page.isUnseen()) {
            compare(page);
        }
    }

    /// Reads an aligned page.
    ///
    /// @return whether there is one; `into` is zeros otherwise
    boolean page(long guestVram, long[] into) {
        TrackedPage page = pageOf(guestVram);
        if (page == null || !page.isKept()) {
            return reader.page(MemoryTarget.VRAM, guestVram, into);
        }
        compare(page);
        unseen.copy(page, into);
        return true;
    }

    /// Reads an aligned word that a user was told of.
    long word(long guestVram) {
        TrackedPage page = pageOf(guestVram);
        return page == null || !page.isKept()
                ? reader.word(MemoryTarget.VRAM, guestVram)
                : unseen.word(page, guestVram);
    }

    /// Whether there is something to tell.
    boolean isMarked() {
        return marked != null;
    }

    /// Tells users of all marked words. What is found marked meanwhile was written meanwhile, and
    /// waits: a guest that goes on writing does not keep this busy.
    ///
    /// @return how many pages of tables and directories were concerned
    int tellUsers() {
        int tables = 0;
        TrackedPage left = marked;
        marked = null;
        while (left != null) {
            TrackedPage page = left;
            left = page.next;
            page.next = null;
            page.listed = false;
            tables += tellUsers(page);
        }
        return tables;
    }

    /// Users may come and go meanwhile: who comes has read the page after it was marked, and who
    /// has gone is not told.
    private int tellUsers(TrackedPage page) {
        int count = page.users();
        if (count > users.length) {
            users = new PageUser[2 * count];
        }
        page.copyUsers(users);
        page.takeMarks(marks);
        if (page.isKept()) {
            unseen.take(page, marks);
        }
        int tables = 0;
        for (int i = 0; i < count; i++) {
            if (users[i].isTable() && users[i].isAttached()) {
                tables++;
            }
            page.tell(users[i], marks);
            users[i] = null;
        }
        return tables;
    }

    private void compare(TrackedPage page) {
        if (unseen.compare(page)) {
            list(page);
        }
    }

    private void mark(long guestVram) {
        TrackedPage page = pageOf(guestVram);
        if (page != null) {
            page.mark((int) (guestVram & GuestReader.PAGE_BYTES - 1) / Long.BYTES);
            list(page);
        }
    }

    private void list(TrackedPage page) {
        if (!page.listed) {
            page.listed = true;
            page.next = marked;
            marked = page;
        }
    }

    private boolean isInside(long guestVram) {
        return guestVram >>> GuestReader.PAGE_SHIFT < pages.length;
    }

    private TrackedPage pageOf(long guestVram) {
        return isInside(guestVram) ? pages[firstPage(guestVram)] : null;
    }

    private int firstPage(long guestVram) {
        return (int) (guestVram >>> GuestReader.PAGE_SHIFT);
    }

    private int endPage(long guestVram, long bytes) {
        long end = guestVram + bytes + GuestReader.PAGE_BYTES - 1 >>> GuestReader.PAGE_SHIFT;
        return (int) Math.min(end, pages.length);
    }
}
