package io.gpuvm.port;

import java.util.Arrays;

/// Offsets, of which the last that came goes first. Makes no garbage once it has been as high as it
/// gets. Confined to its owner's thread.
final class OffsetStack {
    private static final int FIRST_CAPACITY = 16;

    private long[] offsets = new long[FIRST_CAPACITY];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void push(long offset) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        offsets[size++] = offset;
    }

    /// The stack is not empty.
    long pop() {
        return offsets[--size];
    }
}
