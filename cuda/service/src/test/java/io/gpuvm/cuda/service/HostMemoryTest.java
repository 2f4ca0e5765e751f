package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.LineTable;
import io.gpuvm.gf100.cubin.RelocationType;
import io.gpuvm.pv.module.ModuleImage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the memory of the backend's process that a hostile client can occupy.
class HostMemoryTest {
    private static final int MANY = 200_000;

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
    void givenRecordingBeforeManyReleases_whenStreamGoesOn_thenRecordingDoesNotWaitForReleases() {
        int call = 77;
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(call, context.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        long event = session.newHandle();
        executor.createEvent(context.handle, event, 0);
        executor.recordEvent(session.newCall(), event, context.stream);
        long memory = context.allocate(1);
        do {
            executor.free(memory);
            memory = allocateNow();
        } while (memory != 0);

        executor.endHostFunction(call);

        session.workUntil(() -> executor.queryEvent(event) == CudaResult.SUCCESS);
    }

    /// Returns the address of an allocation, or zero if it has to wait.
    private long allocateNow() {
        long[] address = new long[1];
        executor.allocate(context.handle, 1, (result, first, second) -> address[0] = first);
        return address[0];
    }

    /// Opens a session with memory for a context and some other objects.
    private static TestSession withMemoryFor(long bytes) {
        return new TestSession(new HeapBudget(SessionHeap.STREAM_BYTES + bytes, 1));
    }

    @Test
    void givenMemoryForTwoAllocations_whenThirdIsRequested_thenCallIsRefusedUntilOneIsFreed() {
        try (TestSession small = withMemoryFor(2 * SessionHeap.ALLOCATION_BYTES)) {
            TestSession.Context own = small.newContext();
            long first = own.allocate(1);
            own.allocate(1);

            assertEquals(
                    CudaResult.OUT_OF_MEMORY,
                    small.await(reply -> small.executor.allocate(own.handle, 1, reply)).result());
            small.executor.free(first);
            own.allocate(1);
        }
    }

    @Test
    void givenMemoryForTwoEvents_whenThirdIsCreated_thenCallIsRefusedUntilOneIsDestroyed() {
        try (TestSession small = withMemoryFor(2 * SessionHeap.OBJECT_BYTES)) {
            long own = small.newContext().handle;
            assertEquals(CudaResult.SUCCESS, small.executor.createEvent(own, 1, 0));
            assertEquals(CudaResult.SUCCESS, small.executor.createEvent(own, 2, 0));
            assertEquals(CudaResult.OUT_OF_MEMORY, small.executor.createEvent(own, 3, 0));
            assertEquals(CudaResult.SUCCESS, small.executor.destroyEvent(1));
            assertEquals(CudaResult.SUCCESS, small.executor.createEvent(own, 3, 0));
        }
    }

    @Test
    void givenSessionThatUsesAllAvailable_whenSiblingCreatesObjects_thenPartOfSiblingIsLeft() {
        HeapBudget shared = new HeapBudget(400 * SessionHeap.OBJECT_BYTES, 4);
        try (TestSession greedy = new TestSession(shared);
                TestSession sibling = new TestSession(shared)) {
            long own = greedy.newContext().handle;
            int created = 0;
            while (greedy.executor.createEvent(own, created + 1, 0) == CudaResult.SUCCESS) {
                created++;
            }
            assertTrue(created > 200, "events: " + created);

            long other = sibling.newContext().handle;
            for (int event = 1; event <= 48; event++) {
                assertEquals(CudaResult.SUCCESS, sibling.executor.createEvent(other, event, 0));
            }
            assertEquals(CudaResult.OUT_OF_MEMORY, sibling.executor.createEvent(other, 49, 0));
        }
        assertEquals(0, shared.used());
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
    void givenManyStalledStreams_whenWorking_thenTurnChecksFewStreamsAndLaterTurnsAll() {
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
    }

    /// Creates streams that wait for a host function, which does not end.
    private void stallStreams(int count) {
        long event = session.newHandle();
        executor.createEvent(context.handle, event, CudaExecutor.DISABLE_TIMING);
        long first = context.newStream(CudaExecutor.NON_BLOCKING);
        stall(first);
        executor.recordEvent(session.newCall(), event, first);
        for (int i = 0; i < count; i++) {
            long stream = context.newStream(CudaExecutor.NON_BLOCKING);
            executor.waitEvent(session.newCall(), stream, event);
        }
    }

    @Test
    void givenMoreStalledStreamsThanSteps_whenModuleIsLoaded_thenLoadCompletes() {
        stallStreams(200);
        session.turn.steps = 64;

        context.module();
    }

    @Test
    void givenMoreStalledStreamsThanSteps_whenIdleStreamIsDestroyed_thenMemoryIsFree() {
        stallStreams(200);
        session.turn.steps = 64;
        long before = session.heap.used();
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);

        executor.destroyStream(stream);

        session.workUntil(() -> session.heap.used() == before);
    }

    @Test
    void givenMoreStalledStreamsThanSteps_whenMemoryIsFreed_thenReleaseFollowsOperations() {
        long memory = context.allocate(1);
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(78, context.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        executor.fill(session.newCall(), context.stream, memory, 1, 1, 1);
        executor.free(memory);
        stallStreams(200);
        session.turn.steps = 16;
        long before = session.heap.used();
        int released = 2 * SessionHeap.OPERATION_BYTES + SessionHeap.ALLOCATION_BYTES;

        executor.endHostFunction(78);

        session.workUntil(() -> session.heap.used() == before - released);
    }

    @Test
    void givenMoreStalledStreamsThanSteps_whenOtherContextIsDestroyed_thenContextEndsAfterWork() {
        long before = session.heap.used();
        TestSession.Context other = session.newContext();
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(78, other.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        long memory = other.allocate(4096);
        executor.fill(session.newCall(), other.stream, memory, 1, 1, 4096);
        executor.destroyContext(other.handle);
        long ofOther = session.heap.used() - before;
        stallStreams(200);
        session.turn.steps = 64;
        long all = session.heap.used();

        executor.endHostFunction(78);

        session.workUntil(() -> session.heap.used() == all - ofOther);
    }

    @Test
    void givenStalledStreams_whenContextIsDestroyed_thenMemoryOfContextIsFree() {
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

    @Test
    void givenManyReleasesBehindHostFunction_whenFunctionEnds_thenTurnRunsFewReleases() {
        long[] memory = new long[2000];
        for (int i = 0; i < memory.length; i++) {
            memory[i] = context.allocate(1);
        }
        long free = context.freeVramBytes();
        List<CudaResult> reached =
                session.begin(reply -> executor.launchHostFunction(77, context.stream, reply));
        session.workUntil(() -> !reached.isEmpty());
        executor.fill(session.newCall(), context.stream, memory[0], 1, 1, 1);
        for (long address : memory) {
            executor.free(address);
        }
        executor.endHostFunction(77);
        session.turn.steps = 1000;
        session.turn.spent = 0;

        int work = executor.doWork();

        assertTrue(work <= 100, "operations and releases: " + work);
        assertTrue(session.turn.spent <= 520, "steps: " + session.turn.spent);
        assertEquals(free + memory.length * 256L, context.freeVramBytes());
    }

    /// Loads a module with many variables.
    private TestSession.Answer loadVariables(int count) {
        return loadVariables(count, "v");
    }

    /// @param prefix start of the variables' names
    private TestSession.Answer loadVariables(int count, String prefix) {
        StringBuilder source = new StringBuilder(".kernel k\nEXIT\n.end\n.constant 2\n");
        for (int i = 0; i < count; i++) {
            source.append(prefix).append(i).append(": .byte 0\n");
        }
        byte[] image = Kernels.cubin(source.toString());
        return session.await(reply ->
                executor.loadModule(
                        session.newCall(),
                        context.handle,
                        session.newHandle(),
                        new ModuleRequest(
                                TestSession.sha256(image),
                                TestSession.segment(image),
                                TestSession.segment(new byte[4 << 20])),
                        reply));
    }

    @Test
    void givenModuleWithLongNames_whenLoaded_thenMemoryOfNamesIsCountedUntilUnload() {
        long before = session.heap.used();
        int length = 10_000;

        assertEquals(CudaResult.SUCCESS, loadVariables(100, "v".repeat(length)).result());

        long used = session.heap.used() - before;
        assertTrue(used >= 100L * length, "bytes: " + used);
    }

    @Test
    void givenModulesWithLongNames_whenRead_thenCacheCountsNames() {
        String name = "v".repeat(10_000);
        byte[] image = Kernels.cubin(".kernel k\nEXIT\n.end\n.constant 2\n" + name + ": .byte 0\n");

        long bytes = ModuleCache.bytesOf(Cubin.read(image), image.length);

        assertTrue(bytes >= image.length + name.length(), "bytes: " + bytes);
    }

    @Test
    void givenModuleWithLongNamesOfFiles_whenLoadedOrRead_thenMemoryOfNamesIsCounted() {
        Cubin cubin = Cubin.read(Kernels.cubin());
        String file = "f".repeat(60_000);
        int files = 20;
        List<LineTable.Row> rows = new ArrayList<>();
        for (int i = 0; i < 2 * files; i++) {
            rows.add(new LineTable.Row(8 * i, file + i % files, 1, 0));
        }
        String kernel = cubin.kernels().getFirst().name();
        Cubin withLines =
                new Cubin(
                        cubin.architecture(),
                        cubin.virtualArchitecture(),
                        cubin.width(),
                        cubin.functions(),
                        cubin.constants(),
                        cubin.globalBytes(),
                        cubin.globalInit(),
                        cubin.globalAlignment(),
                        cubin.symbols(),
                        cubin.relocations(),
                        List.of(new LineTable(kernel, rows)));
        long names = (long) files * file.length() * Character.BYTES;

        long loaded =
                ModuleParts.bytesOf(ModuleImage.of(withLines))
                        - ModuleParts.bytesOf(ModuleImage.of(cubin));
        long read = ModuleParts.bytesOf(withLines) - ModuleParts.bytesOf(cubin);

        assertTrue(loaded >= names && loaded < 2 * names, "bytes: " + loaded);
        assertTrue(read >= names && read < 2 * names, "bytes: " + read);
    }

    @Test
    void givenModuleWithManyRelocations_whenLoading_thenMemoryOfRelocationsIsCounted() {
        Cubin cubin = Cubin.read(Kernels.cubin());
        CubinRelocation relocation =
                new CubinRelocation(
                        cubin.kernels().getFirst().location(),
                        RelocationType.NONE,
                        "",
                        null,
                        0,
                        false);
        int count = 1000;
        ModuleImage image =
                ModuleImage.of(
                        new Cubin(
                                cubin.architecture(),
                                cubin.virtualArchitecture(),
                                cubin.width(),
                                cubin.functions(),
                                cubin.constants(),
                                cubin.globalBytes(),
                                cubin.globalInit(),
                                cubin.globalAlignment(),
                                cubin.symbols(),
                                Collections.nCopies(count, relocation)));

        long bytes = ModuleParts.bytesOfLoad(image) - image.contentsBytes();

        assertEquals((long) count * SessionHeap.MODULE_PART_BYTES, bytes);
    }

    @Test
    void givenModuleWithManyVariables_whenLoaded_thenMemoryIsCountedUntilUnload() {
        long before = session.heap.used();
        long module = context.load(Kernels.cubin());
        long one = session.heap.used() - before;
        loadVariables(1000);
        long other = session.heap.used() - before - one;
        assertTrue(other >= 1000L * SessionHeap.MODULE_PART_BYTES, "bytes: " + other);

        executor.unloadModule(module);

        assertEquals(before + other, session.heap.used());
    }

    @Test
    void givenModuleWithTooManyVariables_whenLoaded_thenModuleIsRefused() {
        assertEquals(CudaResult.INVALID_IMAGE, loadVariables(ModuleParts.LIMIT).result());
        assertTrue(
                session.refused
                        .getLast()
                        .contains("kernels, variables, parameters and textures=327"),
                session.refused.getLast());
    }

    @Test
    void givenTransportThatFailsToClose_whenSessionEnds_thenMemoryOfSessionIsFree() {
        session.newContext();
        session.isTransportBroken = true;

        assertThrows(IllegalStateException.class, executor::close);

        assertEquals(0, session.heap.used());
        session.isTransportBroken = false;
    }

    @Test
    void givenNoMemoryForModule_whenLoaded_thenModuleIsRefusedAndNextIsRead() {
        try (TestSession small = withMemoryFor(1 << 12)) {
            TestSession.Context own = small.newContext();
            byte[] image = Kernels.cubin();
            byte[] little = Kernels.cubin(".kernel k\nEXIT\n.end\n");

            assertEquals(CudaResult.OUT_OF_MEMORY, own.loadResult(small.newHandle(), image));
            assertEquals(CudaResult.SUCCESS, own.loadResult(small.newHandle(), little));
        }
    }
}
