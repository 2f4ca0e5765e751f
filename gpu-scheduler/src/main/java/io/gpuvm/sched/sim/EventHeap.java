package io.gpuvm.sched.sim;

import java.util.Arrays;

/// Pending events by time. An event is a number that is pending at most once. Events at the same
/// time are ordered by number. Only [#reserve] allocates.
final class EventHeap {
    private static final int ABSENT = -1;

    private long[] times = {};
    private int[] heap = {};
    private int[] places = {};
    private int size;

    /// Allocates room for the events 0 to `event`.
    void reserve(int event) {
        int old = places.length;
        if (event >= old) {
            int length = Math.max(event + 1, 2 * old);
            times = Arrays.copyOf(times, length);
            heap = Arrays.copyOf(heap, length);
            places = Arrays.copyOf(places, length);
            Arrays.fill(places, old, length, ABSENT);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /// Returns the next event. The heap must not be empty.
    int first() {
        return heap[0];
    }

    /// Returns the time of the next event. The heap must not be empty.
    long firstNs() {
        return times[heap[0]];
    }

    /// Sets the time of an event, whether it is pending or not.
    void put(int event, long timeNs) {
        int place = places[event];
        if (place == ABSENT) {
            place = size++;
            set(place, event);
        }
        times[event] = timeNs;
        sink(event, rise(event, place));
    }

    /// Removes an event, if it is pending.
    void remove(int event) {
        int place = places[event];
        if (place == ABSENT) {
            return;
        }
        places[event] = ABSENT;
        int last = heap[--size];
        if (last != event) {
            set(place, last);
            sink(last, rise(last, place));
        }
    }

    private int rise(int event, int from) {
        int place = from;
        while (place > 0 && isBefore(event, heap[place - 1 >>> 1])) {
            set(place, heap[place - 1 >>> 1]);
            place = place - 1 >>> 1;
        }
        set(place, event);
        return place;
    }

    private void sink(int event, int from) {
        int place = from;
        while (true) {
            int child = 2 * place + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (child >= size || !isBefore(heap[child], event)) {
                break;
            }
            set(place, heap[child]);
            place = child;
        }
        set(place, event);
    }

    private boolean isBefore(int one, int other) {
        return times[one] < times[other] || times[one] == times[other] && one < other;
    }

    private void set(int place, int event) {
        heap[place] = event;
        places[event] = place;
    }
}
