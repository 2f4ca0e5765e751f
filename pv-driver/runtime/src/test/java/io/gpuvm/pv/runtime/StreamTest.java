package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of concurrent streams, and of events between streams.
class StreamTest {
    private final TestContext gpu = new TestContext();
    private final GpuContext context = gpu.context();
    private final GpuStream first = context.newStream();
    private final GpuStream second = context.newStream();
    private final PinnedMemory flag = context.allocatePinned(4);

    @AfterEach
    void close() {
        release();
        gpu.close();
    }

    @Test
    void givenBusyStream_whenWorkIsSubmittedToAnotherStream_thenOtherStreamIsDoneFirst() {
        assumeFalse(TestContext.isShared(), "a shared engine runs one command at a time");
        occupy(first);
        second.fill(context.allocate(1000), 0, 1000, 1);
        second.synchronize();
        assertTrue(second.isDone());
        assertFalse(first.isDone());
        release();
        first.synchronize();
        assertTrue(first.isDone());
    }

    @Test
    void givenAwaitedEvent_whenEventOccurs_thenLaterWorkRuns() {
        DeviceMemory memory = gpu.with(new byte[] {1});
        GpuEvent event = context.newEvent();
        assertTrue(event.isDone());
        occupy(first);
        first.fill(memory, 0, 1, 2);
        first.record(event);
        second.await(event);
        PinnedMemory result = context.allocatePinned(1);
        second.copyToHost(result, 0, memory, 0, 1);
        assertFalse(event.isDone());
        assertFalse(second.isDone());
        assertEquals(0, result.segment().get(ValueLayout.JAVA_BYTE, 0));
        release();
        second.synchronize();
        assertTrue(event.isDone());
        assertEquals(2, result.segment().get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void givenEventsBeforeAndAfterWork_whenWorkIsDone_thenElapsedTimeIsPositive() {
        GpuEvent start = context.newEvent();
        GpuEvent end = context.newEvent();
        assertError(GpuError.INVALID_VALUE, () -> end.elapsedNsSince(start), "never recorded");
        first.record(start);
        first.fill(context.allocate(1 << 20), 0, 1 << 20, 1);
        first.record(end);
        end.synchronize();
        assertTrue(end.elapsedNsSince(start) > 0);
        assertEquals(0, end.elapsedNsSince(end));
    }

    @Test
    void givenUnfinishedEvent_whenTimeIsQueried_thenQueryIsRefused() {
        GpuEvent event = context.newEvent();
        first.record(event);
        first.synchronize();
        occupy(first);
        first.record(event);
        assertError(GpuError.INVALID_VALUE, () -> event.elapsedNsSince(event), "not done");
    }

    @Test
    void givenEventRecordedOnTwoStreams_whenEventIsAwaited_thenFirstStreamIsDone() {
        GpuEvent event = context.newEvent();
        occupy(first);
        first.record(event);
        second.record(event);
        assertFalse(event.isDone());
        assertFalse(second.isDone());
        release();
        event.synchronize();
        assertTrue(first.isDone());
    }

    @Test
    void givenMoreStreamsThanChannels_whenWorkIsSubmittedToAllStreams_thenAllWorkIsDone() {
        List<GpuStream> streams = new ArrayList<>();
        DeviceMemory memory = context.allocate(100);
        for (int i = 0; i < 100; i++) {
            GpuStream stream = context.newStream();
            stream.fill(memory, i, 1, i);
            streams.add(stream);
        }
        context.synchronize();
        byte[] bytes = gpu.read(memory);
        for (int i = 0; i < 100; i++) {
            assertTrue(streams.get(i).isDone());
            assertEquals(i, bytes[i]);
            streams.get(i).close();
        }
        for (int i = 0; i < 1000; i++) {
            context.newStream().close();
        }
    }

    @Test
    void givenWaitingThread_whenInterrupted_thenWaitContinuesAndThreadStaysInterrupted()
            throws InterruptedException {
        occupy(first);
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread waiter =
                Thread.ofPlatform()
                        .start(() -> {
                            first.synchronize();
                            interrupted.set(Thread.currentThread().isInterrupted());
                        });
        waiter.interrupt();
        waiter.join(50);
        assertTrue(waiter.isAlive());
        release();
        waiter.join();
        assertEquals(true, interrupted.get());
    }

    @Test
    void givenWaitingThread_whenAnotherStreamFails_thenWaitThrows() {
        GpuKernel poke = gpu.kernel("poke", Kernels.POKE);
        gpu.prepareForLaunches(second);
        occupy(first);
        second.launch(poke, LaunchShape.of(1, 1), new Arguments().i64(Kernels.NOWHERE));
        assertError(GpuError.LAUNCH_FAILED, first::synchronize);
    }

    @Test
    void givenPinnedMemoryFreedDuringCopy_whenCopyEnds_thenMemoryIsReleased() {
        DeviceMemory memory = gpu.with(new byte[] {5, 6, 7});
        PinnedMemory pinned = context.allocatePinned(3);
        final MemorySegment segment = pinned.segment();
        occupy(first);
        first.copyToHost(pinned, 0, memory, 0, 3);
        pinned.close();
        assertEquals(0, segment.get(ValueLayout.JAVA_BYTE, 0));
        release();
        first.synchronize();
        assertEquals(6, segment.get(ValueLayout.JAVA_BYTE, 1));
        // The release also waits for the other channels, whose set-up may still be in flight.
        context.synchronize();
        context.allocate(1).close();
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
    }

    /// Blocks a stream until [#release()].
    private void occupy(GpuStream stream) {
        flag.segment().set(ValueLayout.JAVA_INT, 0, 0);
        GpuKernel spin = gpu.kernel("spin", Kernels.SPIN);
        stream.launch(spin, LaunchShape.of(1, 1), new Arguments().pointer(flag));
    }

    private void release() {
        flag.segment().set(ValueLayout.JAVA_INT, 0, 1);
    }
}
