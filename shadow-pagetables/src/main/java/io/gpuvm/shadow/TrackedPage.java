package io.gpuvm.shadow;

import java.util.Arrays;

/// A page of guest VRAM that somebody reads tables from, with marks where the guest has written.
final class TrackedPage {
    static final int MARK_WORDS = GuestReader.PAGE_WORDS / Long.SIZE;

    /// Not in a list.
    static final int NOWHERE = -1;

    private final long guestVram;
    private final long[] marks = new long[MARK_WORDS];
    private PageUser[] users = new PageUser[1];
    private int count;

    /// Whether it is in the list of marked pages, and what comes after it there.
    boolean listed;

    TrackedPage next;

    /// Its place in the list of pages that may change unseen, or [#NOWHERE].
    int unseenPlace = NOWHERE;

    /// Where its copy is, or [KeptPages#NONE].
    int copy = KeptPages.NONE;

    /// @param guestVram where the page starts
    TrackedPage(long guestVram) {
        this.guestVram = guestVram;
    }

    void add(PageUser user) {
        if (count == users.length) {
            users = Arrays.copyOf(users, 2 * count);
        }
        users[count++] = user;
    }

    /// @return whether nobody is left
    boolean remove(PageUser user) {
        for (int i = 0; i < count; i++) {
            if (users[i] == user) {
                users[i] = users[--count];
                users[count] = null;
                break;
            }
        }
        return count == 0;
    }

    /// Where the page starts.
    long guestVram() {
        return guestVram;
    }

    /// Whether it may change unseen.
    boolean isUnseen() {
        return unseenPlace != NOWHERE;
    }

    /// Whether there is a copy of it, which users are to read.
    boolean isKept() {
        return copy != KeptPages.NONE;
    }

    /// Marks a word of the page.
    void mark(int word) {
        marks[word / Long.SIZE] |= 1L << word;
    }

    /// Marks all of it.
    void markAll() {
        Arrays.fill(marks, -1);
    }

    /// How many users there are.
    int users() {
        return count;
    }

    /// Copies the users.
    void copyUsers(PageUser[] into) {
        System.arraycopy(users, 0, into, 0, count);
    }

    /// Moves the marks: a bit for each word of the page.
    void takeMarks(long[] into) {
        System.arraycopy(marks, 0, into, 0, MARK_WORDS);
        Arrays.fill(marks, 0);
    }

    /// Tells a user of marks that were taken, until it is detached.
    void tell(PageUser user, long[] taken) {
        for (int i = 0; i < MARK_WORDS; i++) {
            for (long left = taken[i]; left != 0; left &= left - 1) {
                int word = i * Long.SIZE + Long.numberOfTrailingZeros(left);
                if (!user.isAttached()) {
                    return;
                }
                user.onChanged(guestVram + (long) word * Long.BYTES);
            }
        }
    }
}
