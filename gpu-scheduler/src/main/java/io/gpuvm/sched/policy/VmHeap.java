package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Virtual machines in the order of a key, smallest first. Equal keys are ordered by the number of
/// the virtual machine. Each virtual machine is in the heap at most once.
///
/// The binary heap records the index of each virtual machine, so that it can be moved or removed.
/// Only [#reserve] allocates.
final class VmHeap {
    private static final int ABSENT = -1;
    private static final int INITIAL = 8;

    private int[] heap = new int[INITIAL];
    private long[] keys = new long[INITIAL];
    private int[] places = absent(INITIAL);
    private int size;

    /// Allocates room for a virtual machine.
    void reserve(int vm) {
        if (vm >= places.length) {
            int length = Math.max(vm + 1, 2 * places.length);
            int[] larger = absent(length);
            System.arraycopy(places, 0, larger, 0, places.length);
            places = larger;
            heap = Arrays.copyOf(heap, length);
            keys = Arrays.copyOf(keys, length);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    boolean contains(int vm) {
        return places[vm] != ABSENT;
    }

    /// Returns the virtual machine with the smallest key. The heap must not be empty.
    int first() {
        return heap[0];
    }

    /// Returns an entry by index, 0 to [#size] - 1, in no particular order.
    int get(int index) {
        return heap[index];
    }

    /// Returns the key of a virtual machine that is in the heap.
    long key(int vm) {
        return keys[vm];
    }

    /// Inserts a virtual machine with the given key, or changes its key.
    void put(int vm, long key) {
        keys[vm] = key;
        int place = places[vm];
        if (place == ABSENT) {
            place = size++;
        }
        if (!rise(vm, place)) {
            sink(vm, place);
        }
    }

    /// Removes a virtual machine, if it is in the heap.
    void remove(int vm) {
        int place = places[vm];
        if (place == ABSENT) {
            return;
        }
        places[vm] = ABSENT;
        int last = heap[--size];
        if (last != vm && !rise(last, place)) {
            sink(last, place);
        }
    }

    /// Moves a virtual machine up from an index, as far as possible.
    ///
    /// @return false if the virtual machine cannot rise; it is not stored in that case
    private boolean rise(int vm, int from) {
        int place = from;
        while (place > 0 && isBefore(vm, heap[parent(place)])) {
            set(place, heap[parent(place)]);
            place = parent(place);
        }
        if (place == from) {
            return false;
        }
        set(place, vm);
        return true;
    }

    private void sink(int vm, int from) {
        int place = from;
        int child = smallerChild(place);
        while (child < size && isBefore(heap[child], vm)) {
            set(place, heap[child]);
            place = child;
            child = smallerChild(place);
        }
        set(place, vm);
    }

    private int smallerChild(int place) {
        int left = 2 * place + 1;
        int right = left + 1;
        return right < size && isBefore(heap[right], heap[left]) ? right : left;
    }

    private static int parent(int place) {
        return (place - 1) >>> 1;
    }

    private boolean isBefore(int one, int other) {
        return keys[one] < keys[other] || keys[one] == keys[other] && one < other;
    }

    private void set(int place, int vm) {
        heap[place] = vm;
        places[vm] = place;
    }

    private static int[] absent(int length) {
        int[] places = new int[length];
        Arrays.fill(places, ABSENT);
        return places;
    }
}
