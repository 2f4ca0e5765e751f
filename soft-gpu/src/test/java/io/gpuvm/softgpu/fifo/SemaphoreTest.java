package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SemaphoreTest {
    private static final long VA = 0x3000_0000L;

    private final TestGpu gpu = new TestGpu();
    private TestChannel first;
    private TestChannel second;
    private long shared;

    @BeforeEach
    void startTwoChannels() {
        shared = gpu.allocate(TestGpu.PAGE_BYTES);
        first = new TestChannel(gpu, 1).bind().start();
        second = new TestChannel(gpu, 2).bind().start();
        first.space.mapVram(VA, shared, TestGpu.PAGE_BYTES);
        second.space.mapVram(VA, shared, TestGpu.PAGE_BYTES);
        gpu.runlist(1, 2);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenLongRelease_whenExecuted_thenValueZeroAndTimeAreWritten() {
        gpu.slice(shared, 32).fill((byte) 0xff);
        long before = gpu.nowNs();
        first.submit(new GpuProgram().release(VA, 0x1234_5678, false));
        gpu.run();

        assertEquals(0x1234_5678, gpu.word(shared));
        assertEquals(0, gpu.word(shared + 4));
        long time = gpu.slice(shared, 32).get(ValueLayout.JAVA_LONG, 8);
        assertTrue(time > before && time <= gpu.nowNs());
        assertEquals(-1, gpu.word(shared + 16));
    }

    @Test
    void givenShortRelease_whenExecuted_thenOnlyValueIsWritten() {
        gpu.slice(shared, 32).fill((byte) 0xff);
        first.submit(new GpuProgram().release(VA + 4, 7, true));
        gpu.run();

        assertEquals(-1, gpu.word(shared));
        assertEquals(7, gpu.word(shared + 4));
        assertEquals(-1, gpu.word(shared + 8));
    }

    @Test
    void givenOldStyleSemaphoreMethods_whenExecuted_thenChannelAcquiresAndReleases() {
        first.submit(
                new GpuProgram()
                        .methods(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 0)
                        .methods(0, ChannelClass.SEMAPHORE_OFFSET, (int) VA)
                        .methods(0, ChannelClass.SEMAPHORE_ACQUIRE, 5)
                        .methods(0, ChannelClass.SEMAPHORE_RELEASE, 6));
        gpu.run();
        assertEquals(0, gpu.word(shared));
        gpu.word(shared, 5);
        gpu.run();
        assertEquals(6, gpu.word(shared));
    }

    @Test
    void givenMissingValue_whenChannelAcquires_thenChannelWaitsAndOtherChannelsRun() {
        first.submit(
                new GpuProgram().acquire(VA, 10, ChannelClass.ACQUIRE_GREATER_EQUAL).reference(1));
        gpu.run();
        assertEquals(0, first.userd.refCount());
        int state = gpu.read(Pfifo.CHANNEL_STATE.at(1));
        assertTrue(Pfifo.STATE_ACQUIRE_PENDING.isSet(state));
        assertTrue(gpu.fifo.nanosUntilWork() <= 2_000_000);

        second.submit(new GpuProgram().reference(2).release(VA, 9, true));
        gpu.run();
        assertEquals(2, second.userd.refCount());
        assertEquals(0, first.userd.refCount());

        second.submit(new GpuProgram().release(VA, 11, true));
        gpu.run();
        assertEquals(1, first.userd.refCount());
        assertEquals(1, gpu.count(WorkCounter.SEMAPHORE_ACQUIRES));
        state = gpu.read(Pfifo.CHANNEL_STATE.at(1));
        assertFalse(Pfifo.STATE_ACQUIRE_PENDING.isSet(state));
        assertEquals(Long.MAX_VALUE, gpu.fifo.nanosUntilWork());
    }

    @Test
    void givenMutuallyWaitingChannels_whenRun_thenChannelsFinish() {
        first.submit(
                new GpuProgram()
                        .release(VA, 1, true)
                        .acquire(VA + 16, 1, ChannelClass.ACQUIRE_EQUAL)
                        .release(VA + 32, 1, true)
                        .reference(1));
        second.submit(
                new GpuProgram()
                        .acquire(VA, 1, ChannelClass.ACQUIRE_EQUAL)
                        .release(VA + 16, 1, true)
                        .acquire(VA + 32, 1, ChannelClass.ACQUIRE_EQUAL)
                        .reference(1));
        gpu.run();
        assertEquals(1, first.userd.refCount());
        assertEquals(1, second.userd.refCount());
    }

    @Test
    void givenMemoryWord_whenCpuWritesValue_thenWaitEnds() {
        first.submit(new GpuProgram().acquire(VA, 3, ChannelClass.ACQUIRE_EQUAL).reference(1));
        gpu.run();
        gpu.word(shared, 3);
        gpu.run();
        assertEquals(1, first.userd.refCount());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 5, 5, true",
        "1, 5, 6, false",
        "4, 5, 5, true",
        "4, 5, 4, false",
        "4, 5, 6, true",
        "4, 2147483647, -2147483648, true",
        "4, -2, 1, true",
        "4, 1, -2, false",
        "8, 6, 2, true",
        "8, 6, 9, false"
    })
    void givenValueInMemory_whenChannelAcquires_thenResultFollowsComparison(
            int operation, int payload, int memory, boolean acquired) {
        gpu.word(shared, memory);
        first.submit(new GpuProgram().acquire(VA, payload, operation).reference(1));
        gpu.run();
        assertEquals(acquired ? 1 : 0, first.userd.refCount());
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "5", "15"})
    void givenUnknownOperation_whenTriggered_thenPbdmaReportsError(int operation) {
        first.submit(new GpuProgram().acquire(VA, 0, operation));
        gpu.run();
        assertTrue(Pbdma.INTR_ILLEGAL_SEMAPHORE.isSet(gpu.read(Pbdma.INTR.at(0))));
    }

    @Test
    void givenMisalignedAddress_whenReleased_thenPbdmaReportsError() {
        first.submit(new GpuProgram().release(VA + 2, 1, false));
        gpu.run();
        assertTrue(Pbdma.INTR_ILLEGAL_SEMAPHORE.isSet(gpu.read(Pbdma.INTR.at(0))));
        assertEquals(0, gpu.word(shared));
    }

    @Test
    void givenWaitingChannel_whenPreemptedAndUnbound_thenChannelStops() {
        first.submit(new GpuProgram().acquire(VA, 3, ChannelClass.ACQUIRE_EQUAL).reference(1));
        gpu.run();
        first.stop();
        gpu.write(Pfifo.PREEMPT, 1);
        assertFalse(Pfifo.STATE_ACQUIRE_PENDING.isSet(gpu.read(Pfifo.CHANNEL_STATE.at(1))));
        gpu.runlist(2);
        first.unbind();
        gpu.word(shared, 3);
        gpu.run();

        assertEquals(0, first.userd.refCount());
        assertEquals(Long.MAX_VALUE, gpu.fifo.nanosUntilWork());
    }

    @Test
    void givenPreemptedWait_whenChannelMayStillRun_thenChannelWaitsAgain() {
        first.submit(new GpuProgram().acquire(VA, 3, ChannelClass.ACQUIRE_EQUAL).reference(1));
        gpu.run();
        gpu.write(Pfifo.PREEMPT, 1);
        gpu.run();
        gpu.word(shared, 3);
        gpu.run();
        assertEquals(1, first.userd.refCount());
    }

    @Test
    void givenNonStallInterrupts_whenExecuted_thenEngineBitIsPendingUntilAcknowledged() {
        gpu.write(Pfifo.RUNLIST_EVENT, -1);
        first.submit(new GpuProgram().bind(0, ClassId.COPY0).interrupt());
        gpu.run();

        assertTrue(gpu.interrupted);
        assertEquals(1 << 4, gpu.read(Pfifo.ENGINE_INTR_SOURCE));
        assertEquals(1, gpu.read(Pfifo.ENGINE_INTR.at(4)));
        assertTrue(Pfifo.INTR_ENGINE.isSet(gpu.read(Pfifo.INTR)));

        gpu.write(Pfifo.ENGINE_INTR.at(4), 1);
        assertFalse(gpu.interrupted);
        assertEquals(0, gpu.read(Pfifo.ENGINE_INTR_SOURCE));
    }

    @Test
    void givenChannelWithoutEngine_whenInterruptIsRaised_thenGraphicsBitIsSet() {
        first.submit(new GpuProgram().interrupt());
        gpu.run();
        assertEquals(1, gpu.read(Pfifo.ENGINE_INTR_SOURCE));
    }

    @Test
    void givenMaskedEngineInterrupts_whenInterruptIsRaised_thenUnmaskingShowsInterrupt() {
        gpu.write(Pfifo.RUNLIST_EVENT, -1);
        gpu.write(Pfifo.INTR_EN, 0x7fff_ffff);
        first.submit(new GpuProgram().interrupt());
        gpu.run();
        assertFalse(gpu.interrupted);
        gpu.write(Pfifo.INTR_EN, -1);
        assertTrue(gpu.interrupted);
    }
}
