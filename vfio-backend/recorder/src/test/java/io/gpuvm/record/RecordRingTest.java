package io.gpuvm.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordRingTest {
    /// Time limit for the JVM's compiler on a busy processor.
    private static final long WARM_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// Number of consecutive rounds that must allocate nothing. A single round between two
    /// collections is not sufficient.
    private static final int CLEAN_ROUNDS = 3;

    private static final int RING_BYTES = 1 << 16;
    private static final int ALL = Integer.MAX_VALUE;

    private final RecordRing ring = new RecordRing(RING_BYTES, 0, () -> 42);
    private final List<String> taken = new ArrayList<>();

    @AfterEach
    void close() {
        ring.close();
    }

    @Test
    void givenNoConsumer_whenRingIsFull_thenLossIsRecorded() {
        int fitting = 0;
        while (put()) {
            fitting++;
        }
        put();
        put();
        assertEquals(3, ring.lost());

        drain();
        assertEquals(fitting, taken.size());
        taken.clear();
        assertTrue(put());
        assertTrue(put());
        drain();

        assertEquals(List.of("LOST 3", "RESET", "RESET"), taken);
        assertEquals(3, ring.lost());
    }

    @Test
    void givenFullRing_whenConsumerDrainsBeforeTimeout_thenNoRecordIsLost()
            throws InterruptedException {
        try (RecordRing patient =
                new RecordRing(RING_BYTES, TimeUnit.SECONDS.toNanos(30), () -> 42)) {
            VmTrack track = new VmTrack(patient);
            Thread maker =
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int i = 0; i < 10_000; i++) {
                                    track.onReset();
                                }
                            });
            while (taken.size() < 10_000) {
                patient.drain((_, from, index, _) -> taken.add(""), 100);
            }
            maker.join();
            assertEquals(0, patient.lost());
        }
    }

    @Test
    void givenStoppedRing_whenRecorded_thenRecordIsNeitherStoredNorCounted() {
        ring.stop();

        assertEquals(RecordRing.NONE, claim());
        drain();

        assertEquals(List.of(), taken);
        assertEquals(0, ring.lost());
    }

    @Test
    void givenWarmTrack_whenAccessesAreRecorded_thenNoHeapMemoryIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        VmTrack track = new VmTrack(ring);
        MemorySegment data = Arena.ofAuto().allocate(8);
        long deadlineNs = System.nanoTime() + WARM_LIMIT_NS;
        long allocated;
        int clean = 0;
        do {
            long before = threads.getCurrentThreadAllocatedBytes();
            record(track, data, 100_000);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            clean = allocated < 1024 ? clean + 1 : 0;
        } while (clean < CLEAN_ROUNDS && System.nanoTime() < deadlineNs);

        assertEquals(CLEAN_ROUNDS, clean, allocated + " bytes in the last round");
    }

    private void record(VmTrack track, MemorySegment data, int times) {
        for (int i = 0; i < times; i++) {
            track.onRead(0, 0x9400, 4, data, 0);
            track.onWrite(3, i, 1, true, data, 0);
            if (i % 256 == 0) {
                ring.drain((_, _, _, _) -> {}, ALL);
            }
        }
        assertEquals(0, ring.lost());
    }

    private boolean put() {
        long at = claim();
        if (at == RecordRing.NONE) {
            return false;
        }
        ring.commit(at);
        return true;
    }

    private long claim() {
        return ring.claim(RecordKind.RESET, 0, 0, RecordLayout.HEADER_BYTES);
    }

    private void drain() {
        int count;
        do {
            count = ring.drain(this::take, ALL);
        } while (count > 0);
    }

    private void take(int type, DirectBuffer from, int index, int length) {
        RecordKind kind = RecordKind.of(from.getByte(index + RecordLayout.KIND));
        boolean lost = kind == RecordKind.LOST;
        taken.add(kind + (lost ? " " + from.getLong(index + RecordLayout.BODY) : ""));
    }
}
