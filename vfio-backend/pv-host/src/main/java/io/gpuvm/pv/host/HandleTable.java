package io.gpuvm.pv.host;

import java.util.Arrays;
import java.util.function.Consumer;

/// A guest's objects of one kind, by handle. A released handle is not reused soon, so that a guest
/// that uses a stale handle receives an error. Confined to the poller.
///
/// ```text
///  31  30   29         16 15        0
///  +---+------+-----------+----------+
///  | 0 | kind | generation|  index   |    generations count from 1
///  +---+------+-----------+----------+
/// ```
final class HandleTable<T> {
    /// Maximum number of handles of a table.
    static final int MOST = 1 << 16;

    /// Result of [#add] if the table is full. Never a handle.
    static final int FULL = 0;

    /// Kinds of objects. Handles of different kinds differ.
    enum Kind {
        VRAM,
        SPACE
    }

    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = MOST - 1;
    private static final int GENERATION_BITS = 14;
    private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;

    private final int kindBits;
    private final Object[] things;
    private final short[] generations;

    /// Free indexes; the last is used next.
    private final int[] free;

    private int freeCount;

    /// Number of indexes that [#drain()] has emptied.
    private int drained;

    /// @param most maximum number of objects, up to [#MOST]
    HandleTable(Kind kind, int most) {
        kindBits = kind.ordinal() << INDEX_BITS + GENERATION_BITS;
        things = new Object[most];
        generations = new short[most];
        Arrays.fill(generations, (short) 1);
        free = new int[most];
        for (int i = 0; i < most; i++) {
            free[i] = most - 1 - i;
        }
        freeCount = most;
    }

    /// Returns the number of objects.
    int size() {
        return things.length - freeCount;
    }

    boolean isFull() {
        return freeCount == 0;
    }

    /// @return handle of the object, or [#FULL]
    int add(T thing) {
        if (freeCount == 0) {
            return FULL;
        }
        int index = free[--freeCount];
        things[index] = thing;
        return kindBits | generations[index] << INDEX_BITS | index;
    }

    /// Returns the object with a handle; null if the handle is invalid.
    ///
    /// @param handle any number
    @SuppressWarnings("unchecked") // only add() inserts
    T get(int handle) {
        int index = handle & INDEX_MASK;
        if (index >= things.length
                || handle != (kindBits | generations[index] << INDEX_BITS | index)) {
            return null;
        }
        return (T) things[index];
    }

    /// Removes an object that [#get] has found.
    void remove(int handle) {
        int index = handle & INDEX_MASK;
        things[index] = null;
        int next = generations[index] + 1 & GENERATION_MASK;
        generations[index] = (short) (next == 0 ? 1 : next);
        free[freeCount++] = index;
    }

    /// Returns the maximum number of objects.
    int most() {
        return things.length;
    }

    /// Returns the object with an index; null if there is none.
    ///
    /// @param index index, less than [#most()]
    @SuppressWarnings("unchecked") // only add() inserts
    T at(int index) {
        return (T) things[index];
    }

    /// Removes and returns an object of a table that will not be used any longer; null if the table
    /// is empty. Only this method may be called afterwards.
    T drain() {
        while (drained < things.length) {
            T thing = at(drained);
            things[drained] = null;
            drained++;
            if (thing != null) {
                return thing;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // only add() inserts
    void forEach(Consumer<T> action) {
        for (Object thing : things) {
            if (thing != null) {
                action.accept((T) thing);
            }
        }
    }
}
