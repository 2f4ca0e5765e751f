package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VramShare;

/// Pages of a guest's VRAM from which shadows were derived, with the words that the guest has
/// written since then. Trapped writes are reported to this object; other writes are detected by
/// comparison.
final class TrackedVram {
    private final GuestReader reader;
    private final UnseenWrites unseen;
    private final TrackedPage[] pages;

    /// First page in the list of pages with marks.
    private TrackedPage marked;

    private final long[] marks = new long[TrackedPage.MARK_WORDS];
    private PageUser[] users = new PageUser[16];

    TrackedVram(VramShare share, GuestReader reader, UnseenWrites unseen) {
        this.reader = reader;
        this.unseen = unseen;
        pages = new TrackedPage[Math.toIntExact(share.bytes() >>> GuestReader.PAGE_SHIFT)];
    }

    /// Starts to report changes to a user. The user must read the initial content with [#page].
    ///
    /// @param guestVram start of the user's first page, in the VRAM
    /// @param bytes length that the user reads; the part beyond the VRAM is ignored
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

    /// Stops reporting changes to a user.
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

    /// Marks the words of a trapped write.
    void onWrite(long guestVram, int width) {
        mark(guestVram);
        long last = guestVram + width - 1;
        if ((last ^ guestVram) >= Long.BYTES) {
            mark(last);
        }
    }

    /// Starts to compare a page that the guest may now write without traps.
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

    /// Compares a page for the last time, because all writes to the page are trapped again.
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

    /// Returns whether there are pages to compare.
    boolean hasUnseen() {
        return unseen.count() > 0;
    }

    /// Marks all words that were written without traps.
    void compareAll() {
        for (int i = 0; i < unseen.count(); i++) {
            compare(unseen.page(i));
        }
    }

    /// Marks the words that were written without traps in the page that contains an address.
    void compare(long guestVram) {
        TrackedPage page = pageOf(guestVram);
        if (page != null && page.isUnseen()) {
            compare(page);
        }
    }

    /// Reads an aligned page.
    ///
    /// @return whether the page exists; `into` is filled with zeros otherwise
    boolean page(long guestVram, long[] into) {
        TrackedPage page = pageOf(guestVram);
        if (page == null || !page.isKept()) {
            return reader.page(MemoryTarget.VRAM, guestVram, into);
        }
        compare(page);
        unseen.copy(page, into);
        return true;
    }

    /// Reads an aligned word that was reported to a user.
    long word(long guestVram) {
        TrackedPage page = pageOf(guestVram);
        return page == null || !page.isKept()
                ? reader.word(MemoryTarget.VRAM, guestVram)
                : unseen.word(page, guestVram);
    }

    /// Returns whether there are marks to report.
    boolean isMarked() {
        return marked != null;
    }

    /// Reports all marked words to their users. Marks of writes during the call remain for the next
    /// call, so that a guest that writes continuously does not delay the return of this method.
    ///
    /// @return number of marked pages of tables and directories
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

    /// Reports the marks of a page. Users may be attached and detached during the call: a new user
    /// reads the page after it was marked, and a detached user receives no report.
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
