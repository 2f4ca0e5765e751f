package io.gpuvm.pv.host;

import java.util.Arrays;
import java.util.function.Consumer;

/// The things of one kind that a guest has, by handles: a handle that was given back is not given
/// out again soon, so that who uses it is told. Confined to the poller.
///
/// ```text
///  31  30   29         16 15        0
///  +---+------+-----------+----------+
///  | 0 | kind | generation|  index   |    generations count from 1
///  +---+------+-----------+----------+
/// ```
final class HandleTable<T> {
    /// The most handles that a table may have.
    static final int MOST = 1 << 16;

    /// What [#add] returns if the table is full. No handle.
    static final int FULL = 0;

    /// Kinds of things: the handle of one is never that of the other.
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

    /// Free places, the next one last.
    private final int[] free;

    private int freeCount;

    /// @param most how many things there may be, up to [#MOST]
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

    /// How many things there are.
    int size() {
        return things.length - freeCount;
    }

    boolean isFull() {
        return freeCount == 0;
    }

    /// @return its handle, or [#FULL]
    int add(T thing) {
        if (freeCount == 0) {
            return FULL;
        }
        int index = free[--freeCount];
        things[index] = thing;
        return kindBits | generations[index] << INDEX_BITS | index;
    }

    /// What a handle names, null if nothing.
    ///
    /// @param handle any number
    @SuppressWarnings("unchecked") // only add() puts in
    T get(int handle) {
        int index = handle & INDEX_MASK;
        if (index >= things.length
                || handle != (kindBits | generations[index] << INDEX_BITS | index)) {
            return null;
        }
        return (T) things[index];
    }

    /// Takes out what [#get] has found.
    void remove(int handle) {
        int index = handle & INDEX_MASK;
        things[index] = null;
        int next = generations[index] + 1 & GENERATION_MASK;
        generations[index] = (short) (next == 0 ? 1 : next);
        free[freeCount++] = index;
    }

    @SuppressWarnings("unchecked") // only add() puts in
    void forEach(Consumer<T> action) {
        for (Object thing : things) {
            if (thing != null) {
                action.accept((T) thing);
            }
        }
    }
}
