package io.gpuvm.cuda.service;

import java.util.Arrays;
import java.util.function.Predicate;

/// Objects of one kind by the client's handles: an index in the lower 32 bits, a generation in the
/// upper 32 bits.
final class HandleTable<T> {
    private static final int FIRST_CAPACITY = 16;

    private final String kind;
    private final CudaResult invalid;
    private final int limit;
    private final SessionHeap heap;
    private final int objectBytes;

    /// Objects by index; null if the index is free. Grows up to the limit.
    private Object[] objects = new Object[FIRST_CAPACITY];

    /// Handles of the objects by index.
    private long[] handles = new long[FIRST_CAPACITY];

    /// Index after the last that was ever used.
    private int end;

    /// @param kind name of the kind, for messages
    /// @param invalid result of a handle that denotes no object
    /// @param limit maximum index
    /// @param heap memory of the session
    /// @param objectBytes memory of an object; 0 if the object itself counts it
    HandleTable(String kind, CudaResult invalid, int limit, SessionHeap heap, int objectBytes) {
        this.kind = kind;
        this.invalid = invalid;
        this.limit = limit;
        this.heap = heap;
        this.objectBytes = objectBytes;
    }

    /// Checks that a new object may have this handle, and that memory for it is left.
    ///
    /// @throws CudaCallException [CudaResult#INVALID_VALUE] if the index exceeds the limit or
    ///   denotes another object, [CudaResult#OUT_OF_MEMORY] if no memory is left
    void checkFree(long handle) {
        int index = (int) handle;
        if (index < 1 || index > limit) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s index=%d, expected 1 to %d"
                            .formatted(kind, Integer.toUnsignedLong(index), limit));
        }
        if (index < end && objects[index] != null) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s index=%d, expected a free index".formatted(kind, index));
        }
        heap.check(kind, objectBytes);
    }

    /// Adds an object. Called after [#checkFree].
    void put(long handle, T object) {
        int index = (int) handle;
        if (index >= objects.length) {
            int capacity = Math.max(index + 1, 2 * objects.length);
            objects = Arrays.copyOf(objects, capacity);
            handles = Arrays.copyOf(handles, capacity);
        }
        objects[index] = object;
        handles[index] = handle;
        end = Math.max(end, index + 1);
        heap.take(objectBytes);
    }

    /// Returns the object with a handle.
    ///
    /// @throws CudaCallException if there is none
    @SuppressWarnings("unchecked")
    T get(long handle) {
        int index = (int) handle;
        T object = index > 0 && index < end ? (T) objects[index] : null;
        if (object == null || handles[index] != handle) {
            throw new CudaCallException(
                    invalid,
                    "%s handle=%#x, expected the handle of an existing %1$s"
                            .formatted(kind, handle));
        }
        return object;
    }

    /// Removes an object.
    ///
    /// @throws CudaCallException if no object has the handle
    T remove(long handle) {
        T object = get(handle);
        objects[(int) handle] = null;
        heap.giveBack(objectBytes);
        return object;
    }

    /// Removes all objects that match a predicate.
    @SuppressWarnings("unchecked")
    void removeIf(Predicate<T> predicate) {
        for (int i = 0; i < end; i++) {
            T object = (T) objects[i];
            if (object != null && predicate.test(object)) {
                objects[i] = null;
                heap.giveBack(objectBytes);
            }
        }
    }
}
