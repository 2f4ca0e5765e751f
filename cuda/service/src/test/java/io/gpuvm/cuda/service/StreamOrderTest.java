package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the order of operations: streams, the legacy default stream, events, host functions.
class StreamOrderTest {
    /// Number of launches whose commands exceed the ring of a queue.
    private static final int MORE_THAN_QUEUE_HOLDS = 2000;

    private final TestSession session = new TestSession();
    private final GpuContextExecutor executor = session.executor;
    private final TestSession.Context context = session.newContext();
    private final long first = context.newStream(CudaExecutor.NON_BLOCKING);
    private final long second = context.newStream(CudaExecutor.NON_BLOCKING);
    private final long memory = context.allocate(4096);

    StreamOrderTest() {
        context.write(memory, new byte[4096]);
    }

    @AfterEach
    void close() {
        context.releaseSpin();
        session.close();
    }

    @Test
    void givenBusyStream_whenKernelIsLaunchedOnOtherStream_thenOtherStreamIsDoneFirst() {
        context.spin(first);
        final List<CudaResult> busy =
                session.begin(reply -> executor.synchronizeStream(first, reply));
        assertSuccess(context.launch(second, Kernels.NUMBER, 4, memory, 7));

        context.synchronize(second);

        assertEquals(CudaResult.NOT_READY, executor.queryStream(first));
        assertEquals(CudaResult.SUCCESS, executor.queryStream(second));
        assertTrue(busy.isEmpty());
        context.releaseSpin();
        session.workUntil(() -> !busy.isEmpty());
        assertEquals(List.of(CudaResult.SUCCESS), busy);
        assertEquals(10, context.readInt(memory + 12));
    }

    @Test
    void givenFullQueue_whenMoreKernelsAreLaunched_thenCallsReturnAndAllKernelsRun() {
        context.spin(first);
        for (int i = 0; i < MORE_THAN_QUEUE_HOLDS; i++) {
            assertSuccess(context.launch(first, Kernels.ADD, 1, memory, 1));
        }
        assertTrue(executor.isWaiting());
        assertSuccess(context.launch(second, Kernels.ADD, 1, memory + 4, 5));
        context.synchronize(second);

        context.releaseSpin();
        context.synchronize(first);

        assertEquals(MORE_THAN_QUEUE_HOLDS, context.readInt(memory));
        assertEquals(5, context.readInt(memory + 4));
        session.workUntil(() -> !executor.isWaiting());
    }

    @Test
    void givenTooManyPendingOperations_whenCallsContinue_thenExecutorDoesNotAccept() {
        context.spin(first);
        while (executor.isAccepting()) {
            assertSuccess(context.launch(first, Kernels.ADD, 1, memory, 1));
        }
        CudaResult last = CudaResult.SUCCESS;
        while (last == CudaResult.SUCCESS) {
            last = context.launch(first, Kernels.ADD, 1, memory, 1);
        }

        assertEquals(CudaResult.OUT_OF_MEMORY, last);
        assertTrue(session.refused.getLast().contains("limit=8192"), session.refused.getLast());
        context.releaseSpin();
        session.workUntil(executor::isAccepting);
        context.synchronize(first);
    }

    @Test
    void givenBlockingStream_whenLegacyStreamIsUsed_thenLegacyStreamWaits() {
        long blocking = context.newStream(0);
        context.spin(blocking);
        assertSuccess(context.launch(blocking, Kernels.NUMBER, 1, memory, 1));
        assertSuccess(context.launch(context.stream, Kernels.ADD, 1, memory, 10));

        assertEquals(CudaResult.NOT_READY, executor.queryStream(context.stream));
        context.releaseSpin();
        context.synchronize(context.stream);

        assertEquals(11, context.readInt(memory));
    }

    @Test
    void givenBusyLegacyStream_whenBlockingStreamIsUsed_thenBlockingStreamWaits() {
        long blocking = context.newStream(0);
        context.spin(context.stream);
        assertSuccess(context.launch(context.stream, Kernels.NUMBER, 1, memory, 1));
        assertSuccess(context.launch(blocking, Kernels.ADD, 1, memory, 10));
        assertSuccess(context.launch(first, Kernels.NUMBER, 1, memory + 64, 3));

        context.synchronize(first);
        assertEquals(CudaResult.NOT_READY, executor.queryStream(blocking));
        context.releaseSpin();
        context.synchronize(blocking);

        assertEquals(11, context.readInt(memory));
        assertEquals(3, context.readInt(memory + 64));
    }

    @Test
    void givenDestroyedBlockingStream_whenLegacyStreamIsUsed_thenLegacyStreamWaits() {
        long blocking = context.newStream(0);
        context.spin(blocking);
        assertSuccess(context.launch(blocking, Kernels.NUMBER, 1, memory, 1));
        assertSuccess(executor.destroyStream(blocking));
        assertSuccess(context.launch(context.stream, Kernels.ADD, 1, memory, 10));

        assertEquals(CudaResult.INVALID_HANDLE, executor.queryStream(blocking));
        assertEquals(CudaResult.NOT_READY, executor.queryStream(context.stream));
        context.releaseSpin();
        context.synchronize(context.stream);

        assertEquals(11, context.readInt(memory));
        session.workUntil(() -> !executor.isWaiting());
    }

    @Test
    void givenEvent_whenOtherStreamWaits_thenLaterOperationsRunAfterEvent() {
        long event = context.newEvent();
        assertSuccess(executor.waitEvent(session.newCall(), second, event));
        context.spin(first);
        assertSuccess(context.launch(first, Kernels.NUMBER, 1, memory, 1));
        assertSuccess(executor.recordEvent(session.newCall(), event, first));
        assertSuccess(executor.waitEvent(session.newCall(), second, event));
        assertSuccess(context.launch(second, Kernels.ADD, 1, memory, 10));

        assertEquals(CudaResult.NOT_READY, executor.queryEvent(event));
        assertEquals(CudaResult.NOT_READY, executor.queryStream(second));
        context.releaseSpin();
        context.synchronize(second);

        assertEquals(CudaResult.SUCCESS, executor.queryEvent(event));
        assertEquals(11, context.readInt(memory));
    }

    @Test
    void givenEventRecordedAgain_whenEarlierWaitIsPending_thenWaitIsForEarlierRecording() {
        long event = context.newEvent();
        List<CudaResult> function = launchHostFunction(first);
        final long call = session.newCall();
        assertSuccess(executor.recordEvent(session.newCall(), event, first));
        assertSuccess(executor.waitEvent(session.newCall(), second, event));
        assertSuccess(executor.recordEvent(session.newCall(), event, second));
        final List<CudaResult> synchronizedEvent =
                session.begin(reply -> executor.synchronizeEvent(event, reply));
        session.workUntil(() -> !function.isEmpty());

        assertSuccess(executor.endHostFunction(call - 1));
        session.workUntil(() -> !synchronizedEvent.isEmpty());

        assertEquals(List.of(CudaResult.SUCCESS), synchronizedEvent);
        assertEquals(CudaResult.SUCCESS, executor.queryEvent(event));
    }

    @Test
    void givenPendingRecording_whenEventIsRecordedOnIdleStream_thenEventIsDone() {
        long event = context.newEvent();
        context.spin(first);
        assertSuccess(executor.recordEvent(session.newCall(), event, first));
        assertSuccess(executor.recordEvent(session.newCall(), event, second));

        assertSuccess(session.await(reply -> executor.synchronizeEvent(event, reply)).result());

        assertEquals(CudaResult.NOT_READY, executor.queryStream(first));
    }

    @Test
    void givenEventOfOtherContext_whenStreamWaits_thenLaterOperationsRunAfterEvent() {
        TestSession.Context other = session.newContext();
        long event = other.newEvent();
        other.spin(other.stream);
        assertSuccess(executor.recordEvent(session.newCall(), event, other.stream));
        assertSuccess(executor.waitEvent(session.newCall(), first, event));
        assertSuccess(context.launch(first, Kernels.NUMBER, 1, memory, 6));

        assertEquals(
                CudaResult.INVALID_HANDLE, executor.recordEvent(session.newCall(), event, first));
        executor.doWork();
        assertEquals(CudaResult.NOT_READY, executor.queryStream(first));
        other.releaseSpin();
        context.synchronize(first);

        assertEquals(6, context.readInt(memory));
    }

    @Test
    void givenEventsAroundWork_whenElapsedTimeIsRead_thenTimeIsPositive() {
        long start = context.newEvent();
        long end = context.newEvent();
        assertEquals(CudaResult.INVALID_HANDLE, elapsed(start, end).result());
        assertSuccess(executor.recordEvent(session.newCall(), start, first));
        context.spin(first);
        assertSuccess(executor.recordEvent(session.newCall(), end, first));
        assertEquals(CudaResult.NOT_READY, elapsed(start, end).result());
        context.releaseSpin();
        assertSuccess(session.await(reply -> executor.synchronizeEvent(end, reply)).result());

        TestSession.Answer answer = elapsed(start, end);

        assertSuccess(answer.result());
        assertTrue(Float.intBitsToFloat((int) answer.first()) > 0);
        assertEquals(0, Float.intBitsToFloat((int) elapsed(end, end).first()));
    }

    @Test
    void givenEventWithoutTimes_whenElapsedTimeIsRead_thenErrorIsInvalidHandle() {
        long event = session.newHandle();
        assertSuccess(executor.createEvent(context.handle, event, CudaExecutor.DISABLE_TIMING));
        assertSuccess(executor.recordEvent(session.newCall(), event, first));
        context.synchronize(first);

        assertEquals(CudaResult.SUCCESS, executor.queryEvent(event));
        assertEquals(CudaResult.INVALID_HANDLE, elapsed(event, event).result());
        assertSuccess(executor.destroyEvent(event));
        assertEquals(CudaResult.INVALID_HANDLE, executor.queryEvent(event));
    }

    @Test
    void givenHostFunction_whenStreamReachesFunction_thenStreamWaitsForItsEnd() {
        context.spin(first);
        List<CudaResult> reached = launchHostFunction(first);
        final long call = session.newCall() - 1;
        assertSuccess(context.launch(first, Kernels.NUMBER, 1, memory, 9));
        executor.doWork();
        assertTrue(reached.isEmpty());
        assertEquals(CudaResult.INVALID_VALUE, executor.endHostFunction(call));
        context.releaseSpin();
        session.workUntil(() -> !reached.isEmpty());

        assertTrue(executor.isAccepting());
        assertEquals(CudaResult.NOT_READY, executor.queryStream(first));
        assertEquals(0, context.readInt(memory));
        assertSuccess(executor.endHostFunction(call));
        context.synchronize(first);

        assertEquals(9, context.readInt(memory));
        assertEquals(CudaResult.INVALID_VALUE, executor.endHostFunction(call));
        assertFalse(executor.isWaiting());
    }

    @Test
    void givenMemoryFreedBehindHostFunction_whenFunctionEnds_thenEarlierOperationsComplete() {
        long freed = context.allocate(1 << 20);
        List<CudaResult> reached = launchHostFunction(first);
        final long call = session.newCall() - 1;
        assertSuccess(context.launch(first, Kernels.NUMBER, 1, freed, 9));
        assertSuccess(executor.copy(session.newCall(), first, memory, freed, 4));
        assertSuccess(executor.free(freed));
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.copy(session.newCall(), first, memory, freed, 4));
        session.workUntil(() -> !reached.isEmpty());
        assertSuccess(executor.endHostFunction(call));
        context.synchronize(first);

        assertEquals(9, context.readInt(memory));
        assertEquals(List.of(), session.failedLater);
    }

    @Test
    void givenSeveralBusyStreams_whenContextIsSynchronized_thenReplyFollowsAllStreams() {
        List<CudaResult> reached = launchHostFunction(first);
        final long call = session.newCall() - 1;
        context.spin(second);
        List<CudaResult> done =
                session.begin(reply -> executor.synchronizeContext(context.handle, reply));
        session.workUntil(() -> !reached.isEmpty());
        assertSuccess(executor.endHostFunction(call));
        context.synchronize(first);
        assertTrue(done.isEmpty());

        context.releaseSpin();
        session.workUntil(() -> !done.isEmpty());

        assertEquals(List.of(CudaResult.SUCCESS), done);
        assertSuccess(
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
    }

    @Test
    void givenManyStreams_whenOperationsFollow_thenAllStreamsComplete() {
        for (int i = 0; i < 100; i++) {
            long stream = context.newStream(i % 2);
            assertSuccess(context.launch(stream, Kernels.NUMBER, 1, memory + 4 * i, i));
            assertSuccess(executor.destroyStream(stream));
        }
        assertSuccess(
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
        for (int i = 0; i < 100; i++) {
            assertEquals(i, context.readInt(memory + 4 * i));
        }
        session.workUntil(() -> !executor.isWaiting());
    }

    private List<CudaResult> launchHostFunction(long stream) {
        long call = session.newCall();
        return session.begin(reply -> executor.launchHostFunction(call, stream, reply));
    }

    private TestSession.Answer elapsed(long start, long end) {
        return session.await(reply -> executor.readElapsedTime(start, end, reply));
    }
}
