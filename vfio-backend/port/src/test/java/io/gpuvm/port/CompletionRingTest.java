package io.gpuvm.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the ring from the owner to a virtual machine.
class CompletionRingTest {
    private static final int CAPACITY = 16;

    private final CompletionRing ring = new CompletionRing(CAPACITY);
    private final Recorder recorder = new Recorder();

    @Test
    void givenReportOfEachKind_whenPolled_thenReportsArriveInOrderWithOperands() {
        assertTrue(ring.flushed());
        assertTrue(ring.preempted(1));
        assertTrue(ring.runlistLoaded());
        assertTrue(ring.nonStall(5));
        assertTrue(ring.mmuFault(21, CompletionInbox.NO_CHANNEL, 0xff_8765_4321L, -2));
        assertTrue(ring.pbdma(2, 127, 3, 4, 5));
        assertTrue(ring.mpTrap(3, 2, 9, 4));
        assertTrue(ring.graphTrap(1, 2, 3, 4, 5, 6));
        assertTrue(ring.copyTrap(4, 1, 2, 3, -1));
        assertTrue(ring.hung(0, 9));

        assertEquals(10, ring.poll(recorder));
        assertEquals(
                List.of(
                        "flushed",
                        "preempted 1",
                        "runlistLoaded",
                        "nonStall 5",
                        "mmuFault 21 -1 ff87654321 -2",
                        "pbdma 2 127 3 4 5",
                        "mpTrap 3 2 9 4",
                        "graphTrap 1 2 3 4 5 6",
                        "copyTrap 4 1 2 3 -1",
                        "hung 0 9"),
                recorder.lines);
        assertEquals(0, ring.poll(recorder));
    }

    @Test
    void givenFullRing_whenReportIsAdded_thenReportIsRefusedUntilRingHasRoom() {
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(ring.nonStall(i));
        }
        assertFalse(ring.nonStall(CAPACITY));
        assertEquals(CAPACITY, ring.poll(recorder));
        assertTrue(ring.nonStall(CAPACITY));
        assertEquals(1, ring.poll(recorder));
        assertEquals("nonStall " + CAPACITY, recorder.lines.getLast());
    }

    @Test
    void givenCapacityOtherThanPowerOfTwo_whenCreated_thenCreationFails() {
        assertThrows(IllegalArgumentException.class, () -> new CompletionRing(12));
        assertThrows(IllegalArgumentException.class, () -> new CompletionRing(0));
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void givenTwoThreads_whenManyRecordsPass_thenRecordsAreIntact() throws InterruptedException {
        int records = 50_000;
        CompletionRing large = new CompletionRing(1024);
        Thread owner =
                new Thread(() -> {
                    for (int i = 0; i < records; i++) {
                        while (!large.graphTrap(i, i + 1, i + 2, i + 3, i + 4, i + 5)) {
                            Thread.yield();
                        }
                    }
                });
        owner.start();
        Checker checker = new Checker();
        while (checker.next < records) {
            if (large.poll(checker) == 0) {
                Thread.yield();
            }
        }
        owner.join();
        assertEquals(0, checker.wrong);
    }

    /// Checker that expects consecutive numbers as operands.
    private static final class Checker extends Recorder {
        int next;
        int wrong;

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {
            boolean right =
                    channel == next
                            && interrupts == next + 1
                            && address == next + 2
                            && data == next + 3
                            && code == next + 4
                            && classId == next + 5;
            wrong += right ? 0 : 1;
            next++;
        }
    }

    private static class Recorder implements CompletionInbox.Handler {
        final List<String> lines = new ArrayList<>();

        @Override
        public void onFlushed() {
            lines.add("flushed");
        }

        @Override
        public void onPreempted(int channel) {
            lines.add("preempted " + channel);
        }

        @Override
        public void onRunlistLoaded() {
            lines.add("runlistLoaded");
        }

        @Override
        public void onNonStall(int engine) {
            lines.add("nonStall " + engine);
        }

        @Override
        public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
            lines.add("mmuFault %d %d %x %d".formatted(unit, channel, gpuVa, statusWord));
        }

        @Override
        public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {
            lines.add("pbdma %d %d %d %d %d".formatted(pbdma, channel, interrupts, method, data));
        }

        @Override
        public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
            lines.add("mpTrap %d %d %d %d".formatted(gpc, tpc, warpError, globalError));
        }

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {
            lines.add(
                    "graphTrap %d %d %d %d %d %d"
                            .formatted(channel, interrupts, address, data, code, classId));
        }

        @Override
        public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {
            lines.add(
                    "copyTrap %d %d %d %d %d".formatted(engine, channel, interrupts, error, data));
        }

        @Override
        public void onHung(int engine, int channel) {
            lines.add("hung %d %d".formatted(engine, channel));
        }
    }
}
