package io.gpuvm.shadow;

import java.util.Arrays;

/// Page of guest VRAM from which shadows are derived, with marks for the words that the guest has
/// written.
final class TrackedPage {
    static final int MARK_WORDS = GuestReader.PAGE_WORDS / Long.SIZE;

    /// Position of a page that is not in the list.
    static final int NOWHERE = -1;

    private final long guestVram;
    private final long[] marks = new long[MARK_WORDS];
    private PageUser[] users = new PageUser[1];
    private int count;

    /// True if the page is in the list of marked pages.
    boolean listed;

    /// Successor in the list of marked pages.
    TrackedPage next;

    /// Position in the list of pages that may change without a trap, or [#NOWHERE].
    int unseenPlace = NOWHERE;

    /// Number of the copy, or [KeptPages#NONE].
    int copy = KeptPages.NONE;

    /// @param guestVram start of the page
    TrackedPage(long guestVram) {
        this.guestVram = guestVram;
    }

    void add(PageUser user) {
        if (count == users.length) {
            users = Arrays.copyOf(users, 2 * count);
        }
        users[count++] = user;
    }

    /// @return whether no user remains
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

    /// Returns the start of the page.
    long guestVram() {
        return guestVram;
    }

    /// Returns whether the page may change without a trap.
    boolean isUnseen() {
        return unseenPlace != NOWHERE;
    }

    /// Returns whether a copy of the page exists, which users must read instead of the page.
    boolean isKept() {
        return copy != KeptPages.NONE;
    }

    /// Marks a word of the page.
    void mark(int word) {
        marks[word / Long.SIZE] |= 1L << word;
    }

    /// Marks all words of the page.
    void markAll() {
        Arrays.fill(marks, -1);
    }

    /// Returns the number of users.
    int users() {
        return count;
    }

    /// Copies the users into an array.
    void copyUsers(PageUser[] into) {
        System.arraycopy(users, 0, into, 0, count);
    }

    /// Moves the marks to an array, which has one bit for each word of the page.
    void takeMarks(long[] into) {
        System.arraycopy(marks, 0, into, 0, MARK_WORDS);
        Arrays.fill(marks, 0);
    }

    /// Reports marks to a user, until the user is detached.
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
