package io.gpuvm.port;

import java.util.Arrays;

/// Stack of offsets. Allocates only when its size exceeds its previous maximum. Confined to one
/// thread.
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

    /// Returns and removes the last offset. The stack must not be empty.
    long pop() {
        return offsets[--size];
    }
}
