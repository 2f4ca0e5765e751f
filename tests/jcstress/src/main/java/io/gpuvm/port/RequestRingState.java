package io.gpuvm.port;

/// Ring of requests. All words of a record equal its number.
class RequestRingState {
    final RequestRing ring;

    /// @param capacity number of slots
    /// @param published number of slots already filled, with records 1, 2, ...
    RequestRingState(int capacity, int published) {
        ring = new RequestRing(capacity);
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// Adds a record; a slot must be free.
    ///
    /// @return whether the consumer must be woken
    final boolean publish(int n) {
        return ring.put(n, n, n, n, null);
    }

    /// Consumes a record.
    ///
    /// @return number of the record; 0 if the ring is empty; -1 if the words of the record differ
    final int take() {
        long at = ring.first();
        if (at == ring.end()) {
            return 0;
        }
        int n = ring.kind(at);
        boolean whole = ring.a(at) == n && ring.b(at) == n && ring.c(at) == n;
        ring.free(at + 1);
        return whole ? n : -1;
    }
}
