package io.gpuvm.port;

/// A ring of requests, all words of whose records are the record's number.
class RequestRingState {
    final RequestRing ring;

    /// @param capacity how many places there are
    /// @param published how many are taken already, by records 1, 2, ...
    RequestRingState(int capacity, int published) {
        ring = new RequestRing(capacity);
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// Puts a record in, for which there is room.
    ///
    /// @return whether the taker is to be woken
    final boolean publish(int n) {
        return ring.put(n, n, n, n, null);
    }

    /// Takes a record out.
    ///
    /// @return its number; 0 if there is none; -1 if its words differ
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
