package io.gpuvm.cuda.service;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Objects of one kind by the client's handles: an index in the lower 32 bits, a generation in the
/// upper 32 bits.
final class HandleTable<T> {
    private final String kind;
    private final CudaResult invalid;
    private final int limit;

    /// Objects by index; null if the index is free. Grows up to the limit.
    private final List<T> objects = new ArrayList<>();

    /// Handles of the objects by index.
    private final List<Long> handles = new ArrayList<>();

    /// @param kind name of the kind, for messages
    /// @param invalid result of a handle that denotes no object
    /// @param limit maximum index
    HandleTable(String kind, CudaResult invalid, int limit) {
        this.kind = kind;
        this.invalid = invalid;
        this.limit = limit;
    }

    /// Checks that a new object may have this handle.
    ///
    /// @throws CudaCallException [CudaResult#INVALID_VALUE] if the index exceeds the limit or
    ///   denotes another object
    void checkFree(long handle) {
        int index = (int) handle;
        if (index < 1 || index > limit) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s index=%d, expected 1 to %d"
                            .formatted(kind, Integer.toUnsignedLong(index), limit));
        }
        if (index < objects.size() && objects.get(index) != null) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s index=%d, expected a free index".formatted(kind, index));
        }
    }

    /// Adds an object. Called after [#checkFree].
    void put(long handle, T object) {
        int index = (int) handle;
        while (objects.size() <= index) {
            objects.add(null);
            handles.add(0L);
        }
        objects.set(index, object);
        handles.set(index, handle);
    }

    /// Returns the object with a handle.
    ///
    /// @throws CudaCallException if there is none
    T get(long handle) {
        int index = (int) handle;
        T object = index > 0 && index < objects.size() ? objects.get(index) : null;
        if (object == null || handles.get(index) != handle) {
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
        objects.set((int) handle, null);
        return object;
    }

    /// Removes all objects that match a predicate.
    void removeIf(Predicate<T> predicate) {
        for (int i = 0; i < objects.size(); i++) {
            T object = objects.get(i);
            if (object != null && predicate.test(object)) {
                objects.set(i, null);
            }
        }
    }
}
