package io.gpuvm.shadow;

/// Which pages of a guest's VRAM hold something that its shadows were made from, and which words of
/// those the guest has written since.
final class TrackedVram {
    private final TrackedPage[] pages;

    /// Pages with marks.
    private TrackedPage marked;

    private final long[] marks = new long[TrackedPage.MARK_WORDS];
    private PageUser[] users = new PageUser[16];

    TrackedVram(VramShare share) {
        pages = new TrackedPage[Math.toIntExact(share.bytes() >>> GuestReader.PAGE_SHIFT)];
    }

    /// Starts telling a user of writes.
    ///
    /// @param guestVram start of its first page, in the VRAM
    /// @param bytes how much it reads; what lies behind the VRAM does not count
    void attach(PageUser user, long guestVram, long bytes) {
        for (int page = firstPage(guestVram); page < endPage(guestVram, bytes); page++) {
            if (pages[page] == null) {
                pages[page] = new TrackedPage((long) page << GuestReader.PAGE_SHIFT);
            }
            pages[page].add(user);
        }
    }

    /// Takes back [#attach].
    void detach(PageUser user, long guestVram, long bytes) {
        for (int page = firstPage(guestVram); page < endPage(guestVram, bytes); page++) {
            if (pages[page].remove(user)) {
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

    /// Whether there is something to tell.
    boolean isMarked() {
        return marked != null;
    }

    /// Tells users of all marked words.
    ///
    /// @return how many pages of tables and directories were concerned
    int tellUsers() {
        int tables = 0;
        while (marked != null) {
            TrackedPage page = marked;
            marked = page.next;
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

    private void mark(long guestVram) {
        long number = guestVram >>> GuestReader.PAGE_SHIFT;
        if (number >= pages.length) {
            return;
        }
        TrackedPage page = pages[(int) number];
        if (page == null) {
            return;
        }
        page.mark((int) (guestVram & GuestReader.PAGE_BYTES - 1) / Long.BYTES);
        if (!page.listed) {
            page.listed = true;
            page.next = marked;
            marked = page;
        }
    }

    private int firstPage(long guestVram) {
        return (int) (guestVram >>> GuestReader.PAGE_SHIFT);
    }

    private int endPage(long guestVram, long bytes) {
        long end = guestVram + bytes + GuestReader.PAGE_BYTES - 1 >>> GuestReader.PAGE_SHIFT;
        return (int) Math.min(end, pages.length);
    }
}
