package io.gpuvm.record;

import org.agrona.DirectBuffer;

/// Ring of records. All fields of a record equal its number. The test closes the ring, because its
/// memory is not on the heap.
class RecordRingState {
    /// Capacity in records.
    static final int CAPACITY = 6;

    /// Size of the ring. A record is at most an eighth of a ring.
    private static final int RING_BYTES = 256;

    private static final int RECORD_BYTES = RING_BYTES / 8;
    private static final int ALL = Integer.MAX_VALUE;

    /// Additional heap bytes that make a state appear larger. jcstress counts only heap memory and
    /// must hold few states at once, because releasing memory shared by threads is slow.
    private static final int HEAP_BYTES = 1 << 17;

    private final RecordRing ring = new RecordRing(RING_BYTES, 0, () -> 0);

    /// Number of the next record, whether consumed or lost.
    private int next = 1;

    @SuppressWarnings("unused") // Enlarges the state.
    private final byte[] ballast = new byte[HEAP_BYTES];

    private int confessed;
    private boolean isIntact = true;

    /// @param published number of records in the ring, numbered from 1
    RecordRingState(int published) {
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// Publishes a record if there is room. Producer's thread.
    final void publish(int n) {
        long at = ring.claim(RecordKind.RESET, n, n, RECORD_BYTES, n);
        if (at != RecordRing.NONE) {
            for (int i = RecordLayout.BODY; i < RECORD_BYTES; i += Long.BYTES) {
                ring.memory().set(RecordLayout.U64, at + i, n);
            }
            ring.commit(at);
        }
    }

    /// Consumes all records. Recorder's thread.
    final void takeAll() {
        ring.drain(this::take, ALL);
    }

    /// Closes the ring, when neither thread uses it any longer.
    ///
    /// @param end number after that of the last record
    /// @return number of lost records; -1 unless each record before `end` was consumed, whole and
    ///   in order, or reported as lost at its position
    final int close(int end) {
        long lost = ring.lost();
        ring.close();
        return isIntact && next == end && confessed == lost ? confessed : -1;
    }

    private void take(int type, DirectBuffer from, int index, int length) {
        if (from.getByte(index + RecordLayout.KIND) == RecordKind.LOST.code()) {
            int missing = (int) from.getLong(index + RecordLayout.BODY);
            isIntact &= missing > 0;
            confessed += missing;
            next += missing;
            return;
        }
        boolean isWhole =
                length == RECORD_BYTES
                        && from.getInt(index + RecordLayout.LENGTH) == RECORD_BYTES
                        && from.getByte(index + RecordLayout.DETAIL) == next
                        && from.getShort(index + RecordLayout.CHANNEL) == next;
        for (int i = RecordLayout.TIME; i < RECORD_BYTES; i += Long.BYTES) {
            isWhole &= from.getLong(index + i) == next;
        }
        isIntact &= isWhole;
        next++;
    }
}
