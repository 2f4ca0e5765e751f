package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.FenceDeclareCommand;
import java.util.Arrays;

/// Declared fences of a paravirtual session, and those that have changed since the last look.
final class DeclaredFences {
    /// Maximum number of attempts to read all fences without a change.
    private static final int MOST_LOOKS = 8;

    private static final int FIRST_CAPACITY = 16;

    /// Offsets of the words in the data area, in ascending order.
    private long[] offsets = new long[FIRST_CAPACITY];

    /// Words at the last look.
    private int[] seen = new int[FIRST_CAPACITY];

    private int count;

    private long[] changedOffsets = new long[FIRST_CAPACITY];
    private int[] changedWords = new int[FIRST_CAPACITY];
    private int changed;

    boolean isEmpty() {
        return count == 0;
    }

    /// Returns the number of declared words.
    int count() {
        return count;
    }

    /// Declares a word.
    ///
    /// @param offset offset in the data area, a multiple of 4
    /// @return false if the limit is reached
    boolean declare(AreaTwin area, long offset) {
        int at = Arrays.binarySearch(offsets, 0, count, offset);
        if (at >= 0) {
            return true;
        }
        if (count == FenceDeclareCommand.MOST_WORDS) {
            return false;
        }
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            seen = Arrays.copyOf(seen, 2 * count);
        }
        int place = -at - 1;
        System.arraycopy(offsets, place, offsets, place + 1, count - place);
        System.arraycopy(seen, place, seen, place + 1, count - place);
        offsets[place] = offset;
        seen[place] = area.agreed(offset);
        count++;
        return true;
    }

    /// Ends the declarations of all words of a range.
    void remove(long start, long end) {
        int first = indexFrom(start);
        int after = indexFrom(end);
        System.arraycopy(offsets, after, offsets, first, count - after);
        System.arraycopy(seen, after, seen, first, count - after);
        count -= after - first;
    }

    /// Returns the offset of the first declared word from `offset` on; [Long#MAX_VALUE] if there is
    /// none.
    long next(long offset) {
        int at = indexFrom(offset);
        return at < count ? offsets[at] : Long.MAX_VALUE;
    }

    /// Reads all words such that no word is newer than another: repeatedly, until none changes. If
    /// words change during each of several attempts, the last attempt counts.
    ///
    /// @return whether a word differs from the agreed word
    boolean look(AreaTwin area) {
        boolean isSame = false;
        for (int looks = 0; looks < MOST_LOOKS && !isSame; looks++) {
            isSame = true;
            for (int i = 0; i < count; i++) {
                int word = area.read(offsets[i]);
                isSame &= word == seen[i];
                seen[i] = word;
            }
        }
        changed = 0;
        for (int i = 0; i < count; i++) {
            if (seen[i] != area.agreed(offsets[i])) {
                note(i);
            }
        }
        return changed > 0;
    }

    /// Returns the number of words that had changed at the last look.
    int changed() {
        return changed;
    }

    /// Returns the offset of a word that had changed.
    ///
    /// @param i 0 to [#changed()] - 1
    long changedOffset(int i) {
        return changedOffsets[i];
    }

    /// Returns a word that had changed.
    ///
    /// @param i 0 to [#changed()] - 1
    int changedWord(int i) {
        return changedWords[i];
    }

    private void note(int i) {
        if (changedOffsets.length < offsets.length) {
            changedOffsets = Arrays.copyOf(changedOffsets, offsets.length);
            changedWords = Arrays.copyOf(changedWords, offsets.length);
        }
        changedOffsets[changed] = offsets[i];
        changedWords[changed] = seen[i];
        changed++;
    }

    private int indexFrom(long offset) {
        int at = Arrays.binarySearch(offsets, 0, count, offset);
        return at >= 0 ? at : -at - 1;
    }
}
