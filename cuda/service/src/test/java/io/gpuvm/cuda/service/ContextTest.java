package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of contexts: creation, destruction, failures, and the end of a session.
class ContextTest {
    private static final ExecutorLimits LIMITS = new ExecutorLimits(3, 64, 64, 64, 64, 1024, 2048);

    private final TestSession session =
            new TestSession("workers=2", LIMITS, new ModuleCache(1 << 20));
    private final GpuContextExecutor executor = session.executor;

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenDevice_whenAttributesAreRead_thenAttributesDescribeGf100() {
        DeviceAttributes attributes =
                DeviceAttributes.of(new GpuLimits("test", TestSession.VRAM_BYTES, 1, 14, 0));

        assertEquals(1024, attributes.value(1));
        assertEquals(14, attributes.value(16));
        assertEquals(1536, attributes.value(39));
        assertEquals(2, attributes.value(75));
        assertEquals(0, attributes.value(76));
        assertEquals(0, attributes.value(83));
        assertEquals(0, attributes.value(-1));
        assertEquals(0, attributes.value(1 << 20));
    }

    @Test
    void givenNoTransport_whenContextIsCreated_thenErrorIsOutOfMemoryWithReason() {
        GpuContextExecutor without =
                new GpuContextExecutor(
                        new GpuContextExecutor.Parts(
                                () -> {
                                    throw new TransportException("spaces=5, limit=4");
                                },
                                new GpuLimits("test", 1 << 20, 1, 1, 0),
                                GpuAddresses.within(TestSession.RANGE),
                                new ModuleReader(session.cache, Runnable::run),
                                new LinkQueue(1 << 20, 64 << 20, Runnable::run),
                                () -> {},
                                LIMITS,
                                session.heap,
                                session.turn,
                                session));

        without.createContext(
                1, 1, false, (result, _, _) -> assertEquals(CudaResult.OUT_OF_MEMORY, result));

        assertEquals(List.of("OUT_OF_MEMORY: spaces=5, limit=4"), session.refused);
        assertEquals(CudaResult.INVALID_CONTEXT, without.destroyContext(1));
    }

    @Test
    void givenTwoContexts_whenMemoryIsAllocated_thenAddressesDiffer() {
        TestSession.Context one = session.newContext();
        TestSession.Context two = session.newContext();
        long first = one.allocate(1 << 20);
        long second = two.allocate(1 << 20);

        assertNotEquals(first, second);
        assertTrue(first >= TestSession.RANGE.first() && first < TestSession.RANGE.end());
        assertTrue(second >= TestSession.RANGE.first() && second < TestSession.RANGE.end());
        byte[] contents = TestSession.random(1000, 1);
        one.write(first, contents);
        two.write(second, new byte[1000]);
        assertArrayEquals(contents, one.read(first, 1000));
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.copy(session.newCall(), one.stream, first, second, 10));
    }

    @Test
    void givenPrimaryContext_whenSecondIsCreated_thenCallIsRefused() {
        long primary = session.newContextHandle();
        assertSuccess(create(primary, session.newHandle(), true));
        assertEquals(
                CudaResult.PRIMARY_CONTEXT_ACTIVE,
                create(session.newContextHandle(), session.newHandle(), true));
        assertSuccess(executor.destroyContext(primary));
        assertSuccess(create(session.newContextHandle(), session.newHandle(), true));
    }

    @Test
    void givenFailedAssertion_whenCallsFollow_thenAllHaveItsResultAndOtherContextHasNot() {
        TestSession.Context context = session.newContext();
        TestSession.Context other = session.newContext();
        long module = context.load(Kernels.assertion());
        MemorySegment parameters = MemorySegment.ofArray(new byte[Kernels.BYTES_OF_TWO]);
        LaunchShape shape = LaunchShape.of(2, 3);

        assertSuccess(
                executor.launch(
                        session.newCall(), context.stream, module, 0, shape, false, parameters));

        assertEquals(
                CudaResult.ASSERT,
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
        assertEquals(CudaResult.ASSERT, executor.queryStream(context.stream));
        assertEquals(CudaResult.ASSERT, executor.createStream(context.handle, 99, 0));
        assertEquals(
                List.of(0, 1, 2),
                session.reports.stream()
                        .map(KernelReport::text)
                        .filter(text -> text.contains("block: [0,0,0]"))
                        .map(text -> Integer.parseInt(text.split("thread: \\[")[1].split(",")[0]))
                        .toList());
        assertSuccess(executor.queryStream(other.stream));
    }

    @Test
    void givenModuleWithLines_whenKernelFaults_thenReportNamesKernelLineAndThread() {
        KernelReport report = reportOfStore("store.cu");

        assertEquals(KernelReport.Kind.FAULT, report.kind());
        String start = "store.cu:42: kernel store: block: [0,0,0], thread: [0,0,0] write to";
        assertTrue(report.text().startsWith(start + " address=0x0: "), report.text());
    }

    @Test
    void givenLongNameOfFile_whenKernelFaults_thenReportIsShort() {
        String report = reportOfStore("x".repeat(1000)).text();

        assertTrue(report.length() < 800, report);
        assertTrue(report.contains("...:42: kernel store: "), report);
    }

    /// Returns the report of a kernel that stores at address 0 in line 42 of a file.
    private KernelReport reportOfStore(String file) {
        TestSession.Context context = session.newContext();
        long module = context.load(Kernels.withLines(file));
        MemorySegment parameters = MemorySegment.ofArray(new byte[Kernels.BYTES_OF_TWO]);
        LaunchShape shape = LaunchShape.of(2, 3);
        assertSuccess(
                executor.launch(
                        session.newCall(), context.stream, module, 0, shape, false, parameters));
        assertEquals(
                CudaResult.ILLEGAL_ADDRESS,
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
        assertEquals(1, session.reports.size());
        return session.reports.getFirst();
    }

    @Test
    void givenModuleWithoutLines_whenKernelTraps_thenReportNamesKernelAndOffset() {
        TestSession.Context context = session.newContext();
        assertSuccess(context.launch(context.stream, Kernels.TRAP, 1, 0, 0));
        session.await(reply -> executor.synchronizeContext(context.handle, reply));

        String report = session.reports.getFirst().text();

        assertTrue(report.startsWith("kernel trap, code=0x"), report);
        assertTrue(report.contains(": block: [0,0,0], thread: [0,0,0] ILLEGAL_INSTR"), report);
    }

    @Test
    void givenTrapInModuleWithAssertions_whenLaunched_thenResultIsThatOfTrap() {
        TestSession.Context context = session.newContext();
        context.load(Kernels.assertion());
        assertSuccess(context.launch(context.stream, Kernels.TRAP, 1, 0, 0));

        assertEquals(
                CudaResult.LAUNCH_FAILED,
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
    }

    @Test
    void givenUsedOrInvalidHandles_whenContextIsCreated_thenCallIsRefused() {
        TestSession.Context context = session.newContext();
        CudaResult invalid = CudaResult.INVALID_VALUE;
        assertEquals(invalid, create(context.handle, session.newHandle(), false));
        assertEquals(invalid, create(session.newContextHandle(), context.stream, false));
        assertEquals(invalid, create(0, session.newHandle(), false));
        assertEquals(invalid, create(4, session.newHandle(), false));
        assertEquals(invalid, create(-1, session.newHandle(), false));
        assertTrue(
                session.refused.getLast().contains("context index=4294967295, expected 1 to 3"),
                session.refused.getLast());
    }

    @Test
    void givenDestroyedContext_whenObjectsAreUsed_thenHandlesAreInvalid() {
        TestSession.Context context = session.newContext();
        long memory = context.allocate(100);
        long stream = context.newStream(0);
        long event = context.newEvent();
        long module = context.module();
        assertSuccess(executor.destroyContext(context.handle));

        CudaResult invalid = CudaResult.INVALID_HANDLE;
        assertEquals(CudaResult.INVALID_CONTEXT, executor.destroyContext(context.handle));
        assertEquals(
                CudaResult.INVALID_CONTEXT,
                session.await(reply -> executor.allocate(context.handle, 1, reply)).result());
        assertEquals(invalid, executor.queryStream(stream));
        assertEquals(invalid, executor.queryStream(context.stream));
        assertEquals(invalid, executor.queryEvent(event));
        assertEquals(invalid, executor.unloadModule(module));
        assertEquals(CudaResult.INVALID_VALUE, executor.free(memory));
        assertEquals(invalid, executor.copyToDevice(session.newCall(), stream, memory, 0, 1));
        assertEquals(
                CudaResult.INVALID_CONTEXT,
                executor.createStream(context.handle, session.newHandle(), 0));
        TestSession.Context next = session.newContext();
        assertEquals(memory, next.allocate(100));
    }

    @Test
    void givenBusyContext_whenDestroyed_thenWorkCompletesAndContextEnds() {
        TestSession.Context context = session.newContext();
        context.module();
        context.spin(context.stream);
        final List<CudaResult> waiting =
                session.begin(reply -> executor.synchronizeStream(context.stream, reply));
        assertSuccess(executor.destroyContext(context.handle));
        session.newContext();
        session.newContext();
        assertEquals(CudaResult.OUT_OF_MEMORY, create(context.handle, session.newHandle(), false));
        assertTrue(waiting.isEmpty());

        context.releaseSpin();
        session.workUntil(() -> !executor.isWaiting());

        assertEquals(List.of(CudaResult.SUCCESS), waiting);
        assertSuccess(create(context.handle, session.newHandle(), false));
    }

    @Test
    void givenDestroyedBusyStream_whenContextIsDestroyed_thenContextEndsAfterWork() {
        TestSession.Context context = session.newContext();
        context.module();
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);
        context.spin(stream);
        assertSuccess(executor.destroyStream(stream));
        assertSuccess(executor.destroyContext(context.handle));
        executor.doWork();
        assertTrue(executor.isWaiting());

        context.releaseSpin();

        session.workUntil(() -> !executor.isWaiting());
    }

    @Test
    void givenIllegalAddress_whenKernelStores_thenAllLaterCallsHaveItsResult() {
        TestSession.Context context = session.newContext();
        TestSession.Context other = session.newContext();
        long memory = context.allocate(100);
        long event = context.newEvent();
        assertSuccess(context.launch(context.stream, Kernels.POKE, 1, Kernels.NOWHERE, 0));
        assertFailed(context, memory, event, CudaResult.ILLEGAL_ADDRESS);

        other.write(other.allocate(10), new byte[10]);
        assertSuccess(executor.destroyContext(context.handle));
        TestSession.Context next = session.newContext();
        assertSuccess(next.launch(next.stream, Kernels.NUMBER, 1, next.allocate(4), 1));
        next.synchronize(next.stream);
    }

    @Test
    void givenIllegalInstruction_whenLaunched_thenAllLaterCallsHaveItsResult() {
        TestSession.Context context = session.newContext();
        long memory = context.allocate(100);
        long event = context.newEvent();
        assertSuccess(context.launch(context.stream, Kernels.ILLEGAL, 1, 0, 0));
        assertFailed(context, memory, event, CudaResult.ILLEGAL_INSTRUCTION);
    }

    @Test
    void givenTrap_whenLaunched_thenAllLaterCallsHaveResultOfFailedLaunch() {
        TestSession.Context context = session.newContext();
        long memory = context.allocate(100);
        long event = context.newEvent();
        assertSuccess(context.launch(context.stream, Kernels.TRAP, 1, 0, 0));
        assertFailed(context, memory, event, CudaResult.LAUNCH_FAILED);
    }

    @Test
    void givenMisalignedAddress_whenKernelStores_thenAllLaterCallsHaveItsResult() {
        TestSession.Context context = session.newContext();
        long memory = context.allocate(100);
        long event = context.newEvent();
        assertSuccess(context.launch(context.stream, Kernels.MISALIGNED, 1, memory, 0));
        assertFailed(context, memory, event, CudaResult.MISALIGNED_ADDRESS);
    }

    @Test
    void givenEndlessKernel_whenTimeLimitPasses_thenAllLaterCallsHaveItsResult() {
        try (TestSession limited =
                new TestSession("workers=2,watchdog=0.2", LIMITS, session.cache)) {
            TestSession.Context context = limited.newContext();
            assertSuccess(context.launch(context.stream, Kernels.ENDLESS, 1, 0, 0));
            TestSession.Answer answer =
                    limited.await(
                            reply -> limited.executor.synchronizeStream(context.stream, reply));
            assertEquals(CudaResult.LAUNCH_TIMEOUT, answer.result());
            assertEquals(CudaResult.LAUNCH_TIMEOUT, limited.executor.queryStream(context.stream));
        }
    }

    @Test
    void givenPendingOperations_whenContextFails_thenWaitingCallsComplete() {
        TestSession.Context context = session.newContext();
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);
        long event = context.newEvent();
        context.module();
        final long call = session.newCall();
        final List<CudaResult> function =
                session.begin(reply -> executor.launchHostFunction(call, stream, reply));
        session.workUntil(() -> !function.isEmpty());
        assertSuccess(context.launch(stream, Kernels.NUMBER, 1, context.allocate(4), 1));
        assertSuccess(executor.recordEvent(session.newCall(), event, stream));
        final List<CudaResult> waiting =
                session.begin(reply -> executor.synchronizeEvent(event, reply));
        final List<CudaResult> second =
                session.begin(
                        reply -> executor.launchHostFunction(session.newCall(), stream, reply));

        assertSuccess(context.launch(context.stream, Kernels.POKE, 1, Kernels.NOWHERE, 0));
        session.workUntil(() -> executor.queryStream(context.stream) == CudaResult.ILLEGAL_ADDRESS);
        assertSuccess(executor.endHostFunction(call));
        session.workUntil(() -> !waiting.isEmpty() && !second.isEmpty());

        assertEquals(List.of(CudaResult.ILLEGAL_ADDRESS), waiting);
        assertEquals(List.of(CudaResult.ILLEGAL_ADDRESS), second);
        assertTrue(session.failedLater.size() >= 2, session.failedLater::toString);
        assertSuccess(executor.destroyContext(context.handle));
        session.workUntil(() -> !executor.isWaiting());
    }

    @Test
    void givenEndlessKernelAndPendingCalls_whenSessionIsClosed_thenCallReturns() {
        TestSession.Context context = session.newContext();
        assertSuccess(context.launch(context.stream, Kernels.ENDLESS, 1, 0, 0));
        session.begin(reply -> executor.synchronizeStream(context.stream, reply));
        session.begin(
                reply -> executor.launchHostFunction(session.newCall(), context.stream, reply));

        executor.close();

        executor.close();
    }

    @Test
    void givenStackLimit_whenModuleIsLoaded_thenLimitIsChecked() {
        TestSession.Context context = session.newContext();
        assertSuccess(executor.setLimit(context.handle, CudaExecutor.LIMIT_STACK_SIZE, 8192));
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.setLimit(context.handle, CudaExecutor.LIMIT_STACK_SIZE, 1L << 40));
        assertEquals(CudaResult.UNSUPPORTED_LIMIT, executor.setLimit(context.handle, 2, 1 << 20));
        context.module();
    }

    @Test
    void givenTooManyObjects_whenCreated_thenErrorNamesLimit() {
        TestSession.Context context = session.newContext();
        for (int i = 1; i < 64; i++) {
            long handle = (int) context.stream == i ? 64 : i;
            assertSuccess(executor.createStream(context.handle, handle, 0));
        }
        assertEquals(CudaResult.INVALID_VALUE, executor.createStream(context.handle, 65, 0));
        assertTrue(
                session.refused.getLast().contains("stream index=65, expected 1 to 64"),
                session.refused.getLast());
        assertEquals(
                CudaResult.INVALID_VALUE, executor.createStream(context.handle, context.stream, 0));
        assertEquals(CudaResult.INVALID_HANDLE, executor.destroyStream(context.stream));
    }

    @Test
    void givenInvalidFlags_whenObjectsAreCreated_thenCallsAreRefused() {
        TestSession.Context context = session.newContext();
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.createStream(context.handle, session.newHandle(), 2));
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.createEvent(context.handle, session.newHandle(), 8));
    }

    private CudaResult create(long context, long stream, boolean isPrimary) {
        return session.await(reply -> executor.createContext(context, stream, isPrimary, reply))
                .result();
    }

    private void assertFailed(
            TestSession.Context context, long memory, long event, CudaResult failure) {
        long stream = context.stream;
        assertEquals(
                failure,
                session.await(reply -> executor.synchronizeStream(stream, reply)).result());
        assertEquals(failure, executor.queryStream(stream));
        assertEquals(failure, executor.queryEvent(event));
        assertEquals(
                failure,
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
        assertEquals(
                failure,
                session.await(reply -> executor.allocate(context.handle, 1, reply)).result());
        assertEquals(
                failure,
                session.await(reply -> executor.readMemoryInfo(context.handle, reply)).result());
        assertEquals(failure, executor.free(memory));
        assertEquals(failure, executor.copyToDevice(session.newCall(), stream, memory, 0, 1));
        assertEquals(failure, executor.recordEvent(session.newCall(), event, stream));
        assertEquals(failure, executor.waitEvent(session.newCall(), stream, event));
        assertEquals(failure, context.launch(stream, Kernels.NUMBER, 1, memory, 1));
        assertEquals(failure, executor.createStream(context.handle, session.newHandle(), 0));
        assertEquals(
                failure,
                session.await(reply -> executor.findVariable(context.module(), "factor", reply))
                        .result());
        assertEquals(failure, context.loadResult(session.newHandle(), Kernels.cubin()));
    }
}
