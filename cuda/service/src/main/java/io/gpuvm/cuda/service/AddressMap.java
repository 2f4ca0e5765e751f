package io.gpuvm.cuda.service;

import java.util.Arrays;
import java.util.function.Predicate;

/// Memory of a session by address. Ranges do not overlap.
final class AddressMap {
    private static final int FIRST_CAPACITY = 16;

    /// Number of ranges that move in one step of a turn.
    private static final int MOVES_OF_STEP = 128;

    private final SessionHeap heap;
    private final Turn turn;

    /// Start addresses in ascending order.
    private long[] starts = new long[FIRST_CAPACITY];

    private MemoryRange[] ranges = new MemoryRange[FIRST_CAPACITY];
    private int size;

    AddressMap(SessionHeap heap, Turn turn) {
        this.heap = heap;
        this.turn = turn;
    }

    /// Checks that memory for another range is left.
    ///
    /// @throws CudaCallException [CudaResult#OUT_OF_MEMORY] if there is none
    void checkRoom() {
        heap.check("allocation", SessionHeap.ALLOCATION_BYTES);
    }

    /// Adds a range. Called after [#checkRoom].
    void add(MemoryRange range) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ranges = Arrays.copyOf(ranges, 2 * size);
        }
        int at = -1 - Arrays.binarySearch(starts, 0, size, range.address());
        System.arraycopy(starts, at, starts, at + 1, size - at);
        System.arraycopy(ranges, at, ranges, at + 1, size - at);
        starts[at] = range.address();
        ranges[at] = range;
        size++;
        heap.take(SessionHeap.ALLOCATION_BYTES);
        turn.spend((size - at) / MOVES_OF_STEP);
    }

    /// Returns the range that contains an address, or null.
    MemoryRange find(long address) {
        int at = Arrays.binarySearch(starts, 0, size, address);
        int candidate = at >= 0 ? at : -2 - at;
        return candidate >= 0 && ranges[candidate].contains(address) ? ranges[candidate] : null;
    }

    /// Removes a range.
    void remove(MemoryRange range) {
        int at = Arrays.binarySearch(starts, 0, size, range.address());
        System.arraycopy(starts, at + 1, starts, at, size - at - 1);
        System.arraycopy(ranges, at + 1, ranges, at, size - at - 1);
        size--;
        ranges[size] = null;
        heap.giveBack(SessionHeap.ALLOCATION_BYTES);
        turn.spend((size - at) / MOVES_OF_STEP);
    }

    /// Removes all ranges that match a predicate.
    void removeIf(Predicate<MemoryRange> predicate) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!predicate.test(ranges[i])) {
                starts[kept] = starts[i];
                ranges[kept] = ranges[i];
                kept++;
            }
        }
        Arrays.fill(ranges, kept, size, null);
        heap.giveBack((long) SessionHeap.ALLOCATION_BYTES * (size - kept));
        size = kept;
    }
}
