package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTest {
    /// Number of entries of nouveau's ring (`NV50_DMA_IB_MAX`).
    private static final int RING_ENTRIES = 1023;

    private final InFlight inFlight = new InFlight();

    @Test
    void givenBusyMarkers_whenSubmissionsBegin_thenRoomEndsBeforeRingIsFull() {
        int entries = 0;
        while (inFlight.begin(1, _ -> true) >= 0) {
            entries += 2;
            assertTrue(entries < RING_ENTRIES);
        }
        assertTrue(entries > RING_ENTRIES / 2);
    }

    @Test
    void givenIdleFirstMarker_whenSubmissionExceedsSecondMarker_thenFirstMarkerIsReused() {
        int first = inFlight.begin(PushQueue.CAPACITY, _ -> true);
        int second = inFlight.begin(PushQueue.CAPACITY, _ -> true);

        assertEquals(-1, inFlight.begin(PushQueue.CAPACITY, _ -> true));
        assertEquals(first, inFlight.begin(PushQueue.CAPACITY, marker -> marker != first));
        assertTrue(first != second);
    }

    /// A model of the ring completes submissions in order, at random times.
    @Test
    void givenRandomProgress_whenSubmissionsBegin_thenRingNeverOverflows() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] markerOf = new int[100_000];
        int[] entriesOf = new int[100_000];
        int begun = 0;
        int done = 0;
        int inRing = 0;
        while (begun < markerOf.length) {
            int from = done;
            int to = begun;
            int pushes = 1 + random.nextInt(PushQueue.CAPACITY);
            int marker =
                    inFlight.begin(
                            pushes,
                            index -> {
                                for (int i = from; i < to; i++) {
                                    if (markerOf[i] == index) {
                                        return true;
                                    }
                                }
                                return false;
                            });
            if (marker >= 0) {
                markerOf[begun] = marker;
                entriesOf[begun] = pushes + 1;
                inRing += pushes + 1;
                begun++;
            }
            assertTrue(inRing < RING_ENTRIES, "seed=" + seed);
            while (done < begun && (marker < 0 || random.nextBoolean())) {
                inRing -= entriesOf[done++];
                marker = 0;
            }
        }
    }
}
