package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.QueryRecord;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Ptimer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of semaphores in memory, between channels and with the CPU.
@GpuTest
@Tag(GpuTest.ENGINES)
final class SemaphoreTest {
    private static final int OLD = 0x5555_5555;

    private final Bench bench;
    private final TestChannel first;
    private final TestChannel second;
    private final long semaphore;
    private final long gpuVa;

    SemaphoreTest(Bench bench) {
        this.bench = bench;
        first = bench.channel(1).start();
        second = bench.channel(2).start();
        bench.runlist(1, 2);
        semaphore = bench.allocate(Bench.PAGE_BYTES);
        gpuVa = Bench.HOST_VA + semaphore;
    }

    private int word(long offset) {
        return bench.host().word(semaphore + offset);
    }

    private void fill() {
        for (int offset = 0; offset < QueryRecord.BYTES; offset += Integer.BYTES) {
            bench.host().word(semaphore + offset, OLD);
        }
    }

    private long now() {
        // The two halves are consistent unless the low half has just wrapped around, which occurs
        // once in four seconds.
        int high = bench.read(Ptimer.TIME_HIGH);
        int low = bench.read(Ptimer.TIME_LOW);
        return bench.read(Ptimer.TIME_HIGH) == high
                ? (long) high << Integer.SIZE | Integer.toUnsignedLong(low)
                : now();
    }

    @Test
    void givenLongForm_whenReleased_thenValueAndTimeAreWritten() {
        fill();
        long before = now();

        first.run(new Program().release(gpuVa, 123, false));

        long after = now();
        assertEquals(123, word(QueryRecord.VALUE));
        assertEquals(0, word(QueryRecord.ZERO));
        long time = bench.host().quad(semaphore + QueryRecord.TIME);
        assertTrue(
                time >= before && time <= after,
                "before=%d time=%d after=%d".formatted(before, time, after));
    }

    @Test
    void givenShortForm_whenReleased_thenOnlyValueIsWritten() {
        fill();

        first.run(new Program().release(gpuVa, 123, true));

        assertEquals(123, word(QueryRecord.VALUE));
        assertEquals(OLD, word(QueryRecord.ZERO));
        assertEquals(OLD, word(QueryRecord.TIME));
    }

    @Test
    void givenExpectedValue_whenAcquired_thenChannelContinues() {
        bench.host().word(semaphore, 6);

        first.run(new Program().acquire(gpuVa, 6, ChannelClass.ACQUIRE_EQUAL));
        first.run(new Program().acquire(gpuVa, 5, ChannelClass.ACQUIRE_GREATER_EQUAL));
        first.run(new Program().acquire(gpuVa, 2, ChannelClass.ACQUIRE_MASK));
    }

    @Test
    void givenMissingValue_whenAcquired_thenOtherChannelRunsAndEndsWait() {
        first.submit(
                new Program().acquire(gpuVa, 10, ChannelClass.ACQUIRE_GREATER_EQUAL).reference(1));
        bench.await(
                "wait for the semaphore", () -> Pfifo.STATE_ACQUIRE_PENDING.isSet(first.state()));

        second.run(new Program().release(gpuVa, 9, true));
        assertEquals(0, first.userd.refCount());

        second.run(new Program().release(gpuVa, 11, true));
        bench.await("end of the wait", () -> first.userd.refCount() == 1);
    }

    @Test
    void givenEqualWait_whenLargerValueIsWritten_thenWaitContinues() {
        first.submit(new Program().acquire(gpuVa, 3, ChannelClass.ACQUIRE_EQUAL).reference(1));
        second.run(new Program().release(gpuVa, 4, true));
        second.run(new Program());
        assertEquals(0, first.userd.refCount());

        second.run(new Program().release(gpuVa, 3, true));
        bench.await("end of the wait", () -> first.userd.refCount() == 1);
    }

    @Test
    void givenWait_whenCpuWritesValue_thenWaitEnds() {
        first.submit(new Program().acquire(gpuVa, 3, ChannelClass.ACQUIRE_EQUAL).reference(1));
        second.run(new Program());

        bench.host().word(semaphore, 3);

        bench.await("end of the wait", () -> first.userd.refCount() == 1);
    }

    @Test
    void givenSemaphoreInVram_whenReleasedAndAcquired_thenWaitEnds() {
        first.submit(
                new Program()
                        .acquire(Bench.VRAM_VA + 64, 71, ChannelClass.ACQUIRE_EQUAL)
                        .reference(1));

        second.run(new Program().release(Bench.VRAM_VA + 64, 71, true));

        bench.await("end of the wait", () -> first.userd.refCount() == 1);
    }

    @Test
    void givenTwoChannels_whenAlternatingRepeatedly_thenBothChannelsFinish() {
        long other = gpuVa + QueryRecord.BYTES;
        int rounds = 50;
        for (int i = 1; i <= rounds; i++) {
            first.submit(
                    new Program()
                            .release(gpuVa, i, true)
                            .acquire(other, i, ChannelClass.ACQUIRE_EQUAL));
            second.submit(
                    new Program()
                            .acquire(gpuVa, i, ChannelClass.ACQUIRE_EQUAL)
                            .release(other, i, true));
        }
        first.run(new Program().reference(1));

        assertEquals(rounds, word(0));
        assertEquals(rounds, word(QueryRecord.BYTES));
    }
}
