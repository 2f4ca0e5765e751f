package io.gpuvm.cuda.service.session;

import static io.gpuvm.cuda.service.session.TestFrontEnd.assertStatus;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.FailedCall;
import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.cuda.service.Kernels;
import io.gpuvm.cuda.service.session.TestFrontEnd.Settings;
import io.gpuvm.tests.cuda.CudaCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests that each call has the effect of its function.
class CudaCallsTest {
    private static final String TEXTURE =
            """
            .kernel fetch
                    .texture numbers, 3
                    .param out, 8
                    S2R R0, SR_TID.X
                    TLD.LZ.T R4, R0, numbers, 1D, 0x1
                    MOV R2, c[out]
                    MOV R3, c[out + 4]
                    ST.E [R2], R4
                    EXIT
            .end
            """;

    private final List<Runnable> loads = new ArrayList<>();
    private final TestFrontEnd session = new TestFrontEnd(Settings.DEFAULT.withLoader(loads::add));
    private final MemorySegment data = session.client.data();
    private final TestFrontEnd.Context context = session.new Context();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenMemory_whenCopiedInBothDirections_thenBytesAreSame() {
        long memory = context.allocate(64);
        fill(0, 64);
        session.client.send(new CudaCall.MemcpyHtoDAsync(memory, 0, 32, context.stream));
        session.client.send(new CudaCall.MemcpyDtoDAsync(memory + 32, memory, 32, context.stream));

        session.succeed(new CudaCall.MemcpyDtoH(1024, memory + 32, 32, context.stream));

        assertArrayEquals(bytes(0, 32), bytes(1024, 32));
        session.client.send(new CudaCall.MemcpyDtoHAsync(2048, memory, 8, context.stream));
        session.succeed(new CudaCall.CtxSynchronize(context.handle));
        assertArrayEquals(bytes(0, 8), bytes(2048, 8));
    }

    @Test
    void givenBoxes_whenCopied_thenLinesAreAtTheirPitches() {
        long memory = context.allocate(1024);
        fill(0, 64);
        CudaCall toDevice =
                new CudaCall.Memcpy3DAsync(context.stream, 1, 0, memory, 8, 2, 16, 2, 8, 2, 2);
        CudaCall toHost =
                new CudaCall.Memcpy3D(context.stream, 2, memory + 32, 1024, 16, 2, 8, 2, 8, 2, 1);
        session.client.send(toDevice);

        session.succeed(toHost);

        assertArrayEquals(bytes(16, 16), bytes(1024, 16));
    }

    @Test
    void givenMemory_whenFilled_thenElementsHaveValue() {
        long memory = context.allocate(256);
        long stream = context.stream;
        session.client.send(new CudaCall.MemsetD8Async(memory, 0x11, 4, stream));
        session.client.send(new CudaCall.MemsetD16Async(memory + 4, 0x2222, 2, stream));
        session.client.send(new CudaCall.MemsetD32Async(memory + 8, 0x33333333, 1, stream));
        session.client.send(new CudaCall.MemsetD2D8Async(memory + 12, 8, 0x44, 4, 2, stream));
        session.client.send(new CudaCall.MemsetD2D16Async(memory + 16, 8, 0x5555, 2, 1, stream));
        session.client.send(
                new CudaCall.MemsetD2D32Async(memory + 24, 8, 0x66666666, 1, 1, stream));

        session.succeed(new CudaCall.MemcpyDtoH(0, memory, 28, stream));

        for (int i = 0; i < 4; i++) {
            assertEquals(0x11111111 * (i + 1), data.get(ValueLayout.JAVA_INT, i * 4));
        }
        assertEquals(0x55555555, data.get(ValueLayout.JAVA_INT, 16));
        assertEquals(0x44444444, data.get(ValueLayout.JAVA_INT, 20));
        assertEquals(0x66666666, data.get(ValueLayout.JAVA_INT, 24));
    }

    @Test
    void givenModule_whenLaunched_thenKernelWritesMemory() {
        long module = load(Kernels.cubin());
        long memory = context.allocate(4);

        session.client.send(context.launch(module, Kernels.NUMBER, memory, 42));

        assertEquals(42, context.readInt(memory));
    }

    @Test
    void givenModule_whenLoaded_thenDescriptionAndVariableAgree() {
        long module = load(Kernels.cubin());
        ModuleDescription description = context.description();
        assertEquals("number", description.kernels().getFirst().name());

        CudaReply.ModuleGetGlobal variable =
                CudaReply.ModuleGetGlobal.read(
                        session.succeed(new CudaCall.ModuleGetGlobal(module, text("factor")))
                                .entry());

        ModuleDescription.Variable factor = description.variables().getFirst();
        assertEquals(factor.address(), variable.address());
        assertEquals(factor.bytes(), variable.bytes());
        assertEquals(42, context.readInt(variable.address()));
        assertStatus(
                CudaStatus.NOT_FOUND,
                session.client.call(new CudaCall.ModuleGetGlobal(module, text("other"))));
        session.client.send(new CudaCall.ModuleUnload(module));
        assertStatus(
                CudaStatus.INVALID_HANDLE,
                session.client.call(new CudaCall.ModuleGetGlobal(module, text("factor"))));
    }

    @Test
    void givenModule_whenBeingRead_thenLaterCallsAreExecutedAndImageIsInUse() {
        long load =
                session.client.send(
                        session.load(context.handle, session.newHandle(), Kernels.cubin()));
        session.succeed(new CudaCall.StreamSynchronize(context.stream));
        assertFalse(session.client.hasArrived(load));
        assertEquals(load, session.client.retired());

        CudaCompletion completion = complete(load);
        assertStatus(CudaStatus.SUCCESS, completion);
        assertTrue(completion.retired() > load, "retired=" + completion.retired());
    }

    @Test
    void givenLoadedImage_whenLoadedByHash_thenBytesAreNotRead() {
        byte[] image = Kernels.cubin();
        CudaCall byHash =
                new CudaCall.ModuleLoadData(
                        context.handle,
                        session.newHandle(),
                        -1,
                        0,
                        TestFrontEnd.REPLY,
                        TestFrontEnd.REPLY_BYTES,
                        ByteBuffer.wrap(TestFrontEnd.sha256(image)));
        assertStatus(CudaStatus.NOT_FOUND, session.client.call(byHash));
        load(image);

        assertStatus(CudaStatus.SUCCESS, complete(byHash));
    }

    @Test
    void givenSmallRange_whenModuleIsLoaded_thenResultIsNeededLength() {
        load(Kernels.cubin());
        long bytes = context.description().bytes();
        CudaCompletion completion =
                complete(
                        new CudaCall.ModuleLoadData(
                                context.handle,
                                session.newHandle(),
                                0,
                                0,
                                TestFrontEnd.REPLY,
                                bytes - 1,
                                ByteBuffer.wrap(TestFrontEnd.sha256(Kernels.cubin()))));

        assertStatus(CudaStatus.INVALID_VALUE, completion);
        assertEquals(bytes, CudaReply.ModuleLoadData.read(completion.entry()).descriptionBytes());
    }

    @Test
    void givenRangesOutsideOfDataArea_whenModuleIsLoaded_thenCallsAreRefused() {
        long end = TestFrontEnd.DATA_BYTES;
        byte[] hash = new byte[32];
        for (long[] range :
                new long[][] {
                    {end - 99, 100, 0, 0},
                    {-1, 2, 0, 0},
                    {0, -1, 0, 0},
                    {0, end + 1, 0, 0},
                    {0, 100, end - 99, 100},
                    {0, 100, -1, 1},
                    {0, 100, 0, -1},
                    {0, 100, Long.MAX_VALUE, Long.MAX_VALUE}
                }) {
            CudaCall call =
                    new CudaCall.ModuleLoadData(
                            context.handle,
                            session.newHandle(),
                            range[0],
                            range[1],
                            range[2],
                            range[3],
                            ByteBuffer.wrap(hash));
            assertStatus(CudaStatus.INVALID_VALUE, session.client.call(call));
        }
        assertTrue(loads.isEmpty(), "no image is read");
    }

    @Test
    void givenFailedAssertion_whenReportsAreTaken_thenEachIsThereOnce() {
        long module = load(Kernels.assertion());
        long target = TestFrontEnd.REPLY + 1;
        CudaCall.TakeReports take = new CudaCall.TakeReports(target, KernelReport.MAX_BYTES);
        assertEquals(0, CudaReply.TakeReports.read(session.succeed(take).entry()).bytes());
        session.client.send(context.launch(module, 0, 0, 0));
        assertStatus(
                CudaStatus.ASSERT,
                session.client.call(new CudaCall.CtxSynchronize(context.handle)));

        long bytes = CudaReply.TakeReports.read(session.succeed(take).entry()).bytes();

        KernelReport report = KernelReport.read(session.client.data().asSlice(target, bytes));
        assertEquals(KernelReport.Kind.ASSERTION, report.kind());
        assertEquals(
                "f:7: f: block: [0,0,0], thread: [0,0,0] Assertion `f` failed.", report.text());
        assertEquals(report.bytes(), bytes);
        assertEquals(0, CudaReply.TakeReports.read(session.succeed(take).entry()).bytes());
        long end = TestFrontEnd.DATA_BYTES;
        for (long[] range : new long[][] {{0, KernelReport.MAX_BYTES - 1}, {end - 4096, 8192}}) {
            assertStatus(
                    CudaStatus.INVALID_VALUE,
                    session.client.call(new CudaCall.TakeReports(range[0], range[1])));
        }
    }

    @Test
    void givenKernelSettings_whenSet_thenValuesAreChecked() {
        long module = load(Kernels.cubin());
        succeedLater(new CudaCall.FuncSetAttribute(module, 0, 8, 1024));
        succeedLater(new CudaCall.FuncSetCacheConfig(module, 0, 1));
        succeedLater(new CudaCall.CtxSetLimit(context.handle, 0, 2048));
        assertEquals(
                CudaStatus.INVALID_HANDLE,
                failLater(new CudaCall.FuncSetAttribute(module, 99, 8, 0)));
        assertEquals(
                CudaStatus.UNSUPPORTED_LIMIT,
                failLater(new CudaCall.CtxSetLimit(context.handle, 1, 0)));
    }

    @Test
    void givenMemory_whenFreed_thenItIsAvailableAgain() {
        CudaReply.MemGetInfo before = info();
        long memory = context.allocate(32 << 20);
        assertTrue(info().freeBytes() <= before.freeBytes() - (32 << 20));
        succeedLater(new CudaCall.MemFreeAsync(memory, context.stream));
        long again = context.allocate(32 << 20);
        succeedLater(new CudaCall.MemFree(again));

        assertEquals(before, info());
        assertEquals(
                CudaStatus.INVALID_HANDLE, failLater(new CudaCall.MemFreeAsync(again, 1 << 20)));
        assertEquals(CudaStatus.INVALID_VALUE, failLater(new CudaCall.MemFree(again)));
        assertStatus(
                CudaStatus.OUT_OF_MEMORY,
                session.client.call(new CudaCall.MemAlloc(context.handle, 1L << 40)));
    }

    @Test
    void givenContexts_whenCreatedAndDestroyed_thenHandlesAreUsable() {
        long handle = 2 | 7L << 32;
        long stream = session.newHandle();
        session.succeed(new CudaCall.DevicePrimaryCtxRetain(handle, 0, 0, stream));
        assertStatus(
                CudaStatus.PRIMARY_CONTEXT_ACTIVE,
                session.client.call(
                        new CudaCall.DevicePrimaryCtxRetain(3, 0, 0, session.newHandle())));
        session.succeed(new CudaCall.DevicePrimaryCtxReset(handle));
        session.succeed(new CudaCall.DevicePrimaryCtxRetain(handle, 0, 0, stream));
        succeedLater(new CudaCall.DevicePrimaryCtxRelease(handle));
        assertStatus(
                CudaStatus.INVALID_CONTEXT,
                session.client.call(new CudaCall.CtxSynchronize(handle)));
        assertStatus(
                CudaStatus.INVALID_DEVICE,
                session.client.call(new CudaCall.CtxCreate(handle, 0, 1, stream)));
        session.succeed(new CudaCall.CtxCreate(3, 0, 0, stream));
        session.succeed(new CudaCall.StreamQuery(stream));
        succeedLater(new CudaCall.CtxDestroy(3));
        assertStatus(
                CudaStatus.INVALID_HANDLE, session.client.call(new CudaCall.StreamQuery(stream)));
    }

    @Test
    void givenStreamsAndEvents_whenUsed_thenOrderAndTimesAreThoseOfGpu() {
        long stream = session.newHandle();
        long start = session.newHandle();
        long end = session.newHandle();
        long joined = session.newHandle();
        long module = load(Kernels.cubin());
        long memory = context.allocate(4);
        succeedLater(new CudaCall.StreamCreateWithPriority(context.handle, stream, 1, 0));
        succeedLater(new CudaCall.EventCreate(context.handle, start, 0));
        succeedLater(new CudaCall.EventCreate(context.handle, end, 0));
        succeedLater(new CudaCall.EventCreate(context.handle, joined, 0));
        succeedLater(new CudaCall.EventRecordWithFlags(start, context.stream, 0));
        session.client.send(context.launch(module, Kernels.NUMBER, memory, 1));
        succeedLater(new CudaCall.EventRecordWithFlags(end, context.stream, 0));
        succeedLater(new CudaCall.StreamWaitEvent(stream, end));
        succeedLater(new CudaCall.EventRecordWithFlags(joined, stream, 0));
        session.succeed(new CudaCall.EventSynchronize(end));
        session.succeed(new CudaCall.StreamSynchronize(stream));
        session.succeed(new CudaCall.StreamQuery(stream));
        session.succeed(new CudaCall.EventQuery(end));

        float kernel = milliseconds(start, end);
        float join = milliseconds(end, joined);
        assertTrue(kernel > 0, "kernel=" + kernel);
        assertTrue(join >= 0, "join=" + join);
        succeedLater(new CudaCall.EventDestroy(start));
        succeedLater(new CudaCall.StreamDestroy(stream));
        assertStatus(
                CudaStatus.INVALID_HANDLE, session.client.call(new CudaCall.EventQuery(start)));
        assertStatus(
                CudaStatus.INVALID_HANDLE, session.client.call(new CudaCall.StreamQuery(stream)));
    }

    @Test
    void givenHostFunction_whenReached_thenStreamWaitsForItsEnd() {
        long module = load(Kernels.cubin());
        long memory = context.allocate(4);
        session.client.send(context.launch(module, Kernels.NUMBER, memory, 1));
        long function = session.client.send(new CudaCall.LaunchHostFunc(context.stream));
        session.client.send(context.launch(module, Kernels.NUMBER, memory, 2));
        assertStatus(CudaStatus.SUCCESS, session.client.await(function));
        assertStatus(
                CudaStatus.NOT_READY,
                session.client.call(new CudaCall.StreamQuery(context.stream)));

        succeedLater(new CudaCall.HostFunctionDone(function));

        assertEquals(2, context.readInt(memory));
        assertEquals(CudaStatus.INVALID_VALUE, failLater(new CudaCall.HostFunctionDone(function)));
    }

    @Test
    void givenTexture_whenBound_thenKernelReadsTexel() {
        long module = load(Kernels.cubin(TEXTURE));
        long texture = session.newHandle();
        long memory = context.allocate(1024);
        long out = context.allocate(4);
        data.set(ValueLayout.JAVA_INT, 0, 0x04030201);
        session.client.send(new CudaCall.MemcpyHtoDAsync(memory, 0, 4, context.stream));
        session.succeed(new CudaCall.ModuleGetTexRef(texture, module, text("numbers")));
        succeedLater(new CudaCall.TexRefSetFormat(texture, 3, 1));
        succeedLater(new CudaCall.TexRefSetFlags(texture, 1));
        succeedLater(new CudaCall.TexRefSetAddressMode(texture, 0, 1));
        succeedLater(new CudaCall.TexRefSetFilterMode(texture, 0));
        succeedLater(new CudaCall.TexRefSetAddress(texture, memory, 4));

        session.client.send(context.launch(module, 0, out, 0));

        assertEquals(0x04030201, context.readInt(out));
        assertStatus(
                CudaStatus.NOT_FOUND,
                session.client.call(
                        new CudaCall.ModuleGetTexRef(session.newHandle(), module, text("factor"))));
    }

    @Test
    void givenFailedKernel_whenContextIsUsed_thenCallsHaveSameError() {
        long module = load(Kernels.cubin());
        long memory = context.allocate(4);
        session.client.send(context.launch(module, Kernels.POKE, Kernels.NOWHERE, 0));
        assertStatus(
                CudaStatus.ILLEGAL_ADDRESS,
                session.client.call(new CudaCall.StreamSynchronize(context.stream)));

        assertEquals(
                CudaStatus.ILLEGAL_ADDRESS,
                failLater(context.launch(module, Kernels.NUMBER, memory, 1)));
        assertStatus(
                CudaStatus.ILLEGAL_ADDRESS,
                session.client.call(new CudaCall.MemcpyDtoH(0, memory, 4, context.stream)));
        assertStatus(
                CudaStatus.ILLEGAL_ADDRESS,
                session.client.call(new CudaCall.MemAlloc(context.handle, 1)));
    }

    private CudaReply.MemGetInfo info() {
        return CudaReply.MemGetInfo.read(
                session.succeed(new CudaCall.MemGetInfo(context.handle)).entry());
    }

    /// Loads a module; returns its handle.
    private float milliseconds(long start, long end) {
        CudaCompletion elapsed = session.succeed(new CudaCall.EventElapsedTime(start, end));
        return CudaReply.EventElapsedTime.read(elapsed.entry()).milliseconds();
    }

    private long load(byte[] image) {
        long module = session.newHandle();
        assertStatus(CudaStatus.SUCCESS, complete(session.load(context.handle, module, image)));
        return module;
    }

    /// Sends the load of a module, and reads and prepares the module.
    private CudaCompletion complete(CudaCall load) {
        return complete(session.client.send(load));
    }

    /// Reads and prepares the module of a load that was sent.
    private CudaCompletion complete(long call) {
        while (!session.client.hasArrived(call)) {
            session.turn();
            if (!loads.isEmpty()) {
                loads.removeFirst().run();
            }
        }
        return session.client.await(call);
    }

    /// Sends a call without reply, which succeeds.
    private void succeedLater(CudaCall call) {
        session.client.send(call);
        assertEquals(FailedCall.NONE, session.succeed(new CudaCall.Nop()).failed());
    }

    /// Sends a call without reply, which fails.
    ///
    /// @return status of the call
    private int failLater(CudaCall call) {
        long number = session.client.send(call);
        long failed = session.succeed(new CudaCall.Nop()).failed();
        assertEquals(number, FailedCall.number(failed));
        return FailedCall.status(failed);
    }

    private void fill(long offset, int bytes) {
        for (int i = 0; i < bytes; i++) {
            data.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (i * 7 + 1));
        }
    }

    private byte[] bytes(long offset, int bytes) {
        return data.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
