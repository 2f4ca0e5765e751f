package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the memory of the backend's process that a hostile client can occupy.
class HostMemoryTest {
    private static final int MANY = 200_000;

    /// Number of steps that the checks of a session's pending work may take in a turn.
    private static final int MOST_STEPS = 4096;

    private final TestSession session =
            new TestSession("workers=2", ExecutorLimits.DEFAULT, new ModuleCache(1 << 20));
    private final GpuContextExecutor executor = session.executor;
    private final TestSession.Context context = session.newContext();

    @AfterEach
    void close() {
        session.close();
        assertEquals(0, session.heap.used(), "memory after the session");
    }

    /// Makes a stream wait for a host function that does not end.
    private void stall(long stream) {
        List<CudaResult> reached =
                session.begin(
                        reply -> executor.launchHostFunction(session.newCall(), stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        assertEquals(List.of(CudaResult.SUCCESS), reached);
    }

    @Test
    void givenStalledStream_whenEventsAreCreatedAndDestroyed_thenMemoryIsBounded() {
        stall(context.stream);
        executor.fill(session.newCall(), context.stream, context.allocate(4096), 1, 1, 4096);
        long event = session.newHandle();
        long before = session.heap.used();

        for (int i = 0; i < MANY; i++) {
            assertEquals(CudaResult.SUCCESS, executor.createEvent(context.handle, event, 0));
            assertEquals(CudaResult.SUCCESS, executor.destroyEvent(event));
        }

        assertEquals(before, session.heap.used());
    }

    @Test
    void givenStalledStream_whenMemoryIsAllocatedAndFreed_thenMemoryIsBounded() {
        stall(context.stream);
        executor.fill(session.newCall(), context.stream, context.allocate(4096), 1, 1, 4096);

        int count = 0;
        TestSession.Answer[] answer = new TestSession.Answer[1];
        do {
            answer[0] = null;
            executor.allocate(
                    context.handle,
                    1,
                    (result, first, second) ->
                            answer[0] = new TestSession.Answer(result, first, second));
            if (answer[0] != null && answer[0].result() == CudaResult.SUCCESS) {
                executor.free(answer[0].first());
            }
            count++;
        } while (answer[0] != null && answer[0].result() == CudaResult.SUCCESS && count < MANY);

        assertTrue(count < MANY, "allocations without end");
        assertTrue(session.heap.used() <= TestSession.HEAP_BYTES);
    }

    @Test
    void givenManyAllocations_whenMemoryForThemIsUsedUp_thenNextIsRefusedUntilOneIsFreed() {
        long free = (TestSession.HEAP_BYTES - session.heap.used()) / SessionHeap.ALLOCATION_BYTES;
        session.heap.add((free - 2) * SessionHeap.ALLOCATION_BYTES);
        long first = context.allocate(1);
        context.allocate(1);

        assertEquals(
                CudaResult.OUT_OF_MEMORY,
                session.await(reply -> executor.allocate(context.handle, 1, reply)).result());
        executor.free(first);
        context.allocate(1);
        session.heap.add(-(free - 2) * SessionHeap.ALLOCATION_BYTES);
    }

    @Test
    void givenManyStalledStreams_whenContextIsSynchronizedRepeatedly_thenCallsAreRefused() {
        int streams = 1000;
        for (int i = 0; i < streams; i++) {
            long stream = session.newHandle();
            executor.createStream(context.handle, stream, 0);
            stall(stream);
        }

        CudaResult last = CudaResult.SUCCESS;
        int count = 0;
        while (last == CudaResult.SUCCESS && count < 100) {
            List<CudaResult> done =
                    session.begin(reply -> executor.synchronizeContext(context.handle, reply));
            last = done.isEmpty() ? CudaResult.SUCCESS : done.getFirst();
            count++;
        }

        assertEquals(CudaResult.OUT_OF_MEMORY, last);
        assertTrue(count <= ExecutorLimits.DEFAULT.stalledOperations() / streams + 1);
        assertTrue(
                session.refused.getLast().contains("pending operations="),
                session.refused.getLast());
    }

    @Test
    void givenManyEvents_whenMemoryForThemIsUsedUp_thenNextIsRefusedUntilOneIsDestroyed() {
        long free = (TestSession.HEAP_BYTES - session.heap.used()) / SessionHeap.OBJECT_BYTES;
        session.heap.add((free - 2) * SessionHeap.OBJECT_BYTES);

        assertEquals(CudaResult.SUCCESS, executor.createEvent(context.handle, 1, 0));
        assertEquals(CudaResult.SUCCESS, executor.createEvent(context.handle, 2, 0));
        assertEquals(CudaResult.OUT_OF_MEMORY, executor.createEvent(context.handle, 3, 0));
        assertEquals(CudaResult.SUCCESS, executor.destroyEvent(1));
        assertEquals(CudaResult.SUCCESS, executor.createEvent(context.handle, 3, 0));
        session.heap.add(-(free - 2) * SessionHeap.OBJECT_BYTES);
    }

    @Test
    void givenManyStalledStreams_whenWorking_thenATurnChecksFewOfThemAndAllInTime() {
        long event = session.newHandle();
        executor.createEvent(context.handle, event, CudaExecutor.DISABLE_TIMING);
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(77, context.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        executor.recordEvent(session.newCall(), event, context.stream);
        int streams = 4000;
        long[] handles = new long[streams];
        for (int i = 0; i < streams; i++) {
            handles[i] = session.newHandle();
            executor.createStream(context.handle, handles[i], CudaExecutor.NON_BLOCKING);
            executor.waitEvent(session.newCall(), handles[i], event);
        }
        session.turn.steps = 64;
        session.turn.spent = 0;

        executor.doWork();

        assertTrue(session.turn.spent <= 64, "steps: " + session.turn.spent);
        assertEquals(CudaResult.SUCCESS, executor.endHostFunction(77));
        session.workUntil(() -> executor.queryStream(handles[streams - 1]) == CudaResult.SUCCESS);
        session.workUntil(() -> executor.queryStream(handles[0]) == CudaResult.SUCCESS);
        session.turn.steps = MOST_STEPS;
    }

    @Test
    void givenStalledStreams_whenContextIsDestroyed_thenItsMemoryIsFree() {
        long before = session.heap.used();
        TestSession.Context other = session.newContext();
        long memory = other.allocate(4096);
        executor.createEvent(other.handle, 9, 0);
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(77, other.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        executor.fill(session.newCall(), other.stream, memory, 1, 1, 4096);
        executor.free(memory);
        executor.destroyContext(other.handle);
        assertFalse(session.heap.used() == before);

        executor.endHostFunction(77);

        session.workUntil(() -> session.heap.used() == before);
    }
}
