package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of modules: loads, the cache, descriptions, launches, textures.
class ModuleTest {
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

    private final TestSession session = new TestSession();
    private final GpuContextExecutor executor = session.executor;
    private final TestSession.Context context = session.newContext();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenCubin_whenLoaded_thenDescriptionHasKernelsAndVariables() {
        ModuleDescription description = describe(Kernels.cubin());

        ModuleDescription.Kernel number = description.kernels().get(Kernels.NUMBER);
        assertEquals("number", number.name());
        assertEquals(12, number.parameterBytes());
        assertEquals(2, number.parameters().size());
        assertEquals(8, number.parameters().getLast().offset());
        assertEquals(20, number.binaryVersion());
        assertEquals("local", description.kernels().get(Kernels.LOCAL).name());
        assertEquals(20000, description.kernels().get(Kernels.LOCAL).localBytes());
        ModuleDescription.Variable factor = description.variables().getFirst();
        assertEquals("factor", factor.name());
        assertEquals(4, factor.bytes());
        assertEquals(42, context.readInt(factor.address()));
    }

    @Test
    void givenVariable_whenWritten_thenAddressAndContentsAreThoseOfVariable() {
        long module = context.module();
        TestSession.Answer factor =
                session.await(reply -> executor.findVariable(module, "factor", reply));
        assertSuccess(factor.result());
        assertEquals(4, factor.second());

        context.write(factor.first(), new byte[] {7, 0, 0, 0});

        assertEquals(7, context.readInt(factor.first()));
        assertEquals(CudaResult.INVALID_VALUE, executor.free(factor.first()));
        assertEquals(
                CudaResult.NOT_FOUND,
                session.await(reply -> executor.findVariable(module, "other", reply)).result());
    }

    @Test
    void givenLoadedModule_whenLoadedByHash_thenModuleIsUsable() {
        byte[] image = Kernels.cubin();
        byte[] hash = TestSession.sha256(image);
        assertEquals(CudaResult.NOT_FOUND, loadKnown(session.newHandle(), hash));
        context.load(image);
        long known = session.newHandle();

        assertSuccess(loadKnown(known, hash));

        long memory = context.allocate(4);
        MemorySegment parameters = MemorySegment.ofArray(new byte[12]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, memory);
        parameters.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 5);
        assertSuccess(
                executor.launch(
                        session.newCall(),
                        context.stream,
                        known,
                        Kernels.NUMBER,
                        LaunchShape.of(1, 1),
                        false,
                        parameters));
        assertEquals(5, context.readInt(memory));
        assertEquals(
                CudaResult.INVALID_VALUE, loadKnown(session.newHandle(), Arrays.copyOf(hash, 31)));
    }

    @Test
    void givenSmallCache_whenModulesAreLoaded_thenLeastRecentlyUsedIsRemoved() {
        byte[] first = Kernels.cubin();
        byte[] second = Kernels.cubin(Kernels.MODULE + ".kernel more\nEXIT\n.end\n");
        ModuleCache cache = new ModuleCache(ModuleCache.bytesOf(Cubin.read(second), second.length));
        byte[] hashOfFirst = TestSession.sha256(first);
        byte[] hashOfSecond = TestSession.sha256(second);
        cache.read(first, hashOfFirst);
        assertEquals(Kernels.COUNT, cache.find(hashOfFirst).kernels().size());

        cache.read(second, hashOfSecond);

        assertNull(cache.find(hashOfFirst));
        assertEquals(Kernels.COUNT + 1, cache.find(hashOfSecond).kernels().size());
        ModuleCache none = new ModuleCache(1);
        none.read(first, hashOfFirst);
        assertNull(none.find(hashOfFirst));
    }

    @Test
    void givenUnsuitableImages_whenLoaded_thenResultIsCudas() {
        byte[] other = Kernels.cubin();
        other[48] = 35;
        byte[] ptx = ".version 7.5\n.target sm_20\n".getBytes(StandardCharsets.US_ASCII);
        byte[] narrow = Kernels.cubin(".width 32\n.kernel narrow\n.param out, 4\nEXIT\n.end\n");
        assertEquals(CudaResult.INVALID_IMAGE, refused(new byte[100]));
        assertEquals(CudaResult.NOT_FOUND, refused(new byte[0]));
        assertEquals(CudaResult.NO_BINARY_FOR_GPU, refused(other));
        assertEquals(CudaResult.JIT_COMPILER_NOT_FOUND, refused(ptx));
        assertEquals(CudaResult.INVALID_IMAGE, refused(narrow));
        assertTrue(
                session.refused.getLast().contains("bits of pointers=32, expected=64"),
                session.refused.getLast());
    }

    @Test
    void givenImageWithOtherHash_whenLoaded_thenCallIsRefusedAndImageIsUnknown() {
        byte[] image = Kernels.cubin();
        byte[] wrong = TestSession.sha256(new byte[1]);
        ModuleRequest request =
                new ModuleRequest(wrong, TestSession.segment(image), context.description);

        assertEquals(CudaResult.INVALID_VALUE, context.load(session.newHandle(), request).result());

        assertEquals(CudaResult.NOT_FOUND, loadKnown(session.newHandle(), wrong));
        assertEquals(
                CudaResult.NOT_FOUND, loadKnown(session.newHandle(), TestSession.sha256(image)));
    }

    @Test
    void givenShortRange_whenLoaded_thenResultIsNeededLengthAndHandleIsFree() {
        byte[] image = Kernels.cubin();
        context.load(image);
        byte[] hash = TestSession.sha256(image);
        MemorySegment none = TestSession.segment(new byte[0]);
        long needed = context.description().bytes();
        long module = session.newHandle();
        MemorySegment range = TestSession.segment(new byte[(int) needed]);

        TestSession.Answer answer =
                context.load(module, new ModuleRequest(hash, none, range.asSlice(1)));

        assertEquals(CudaResult.INVALID_VALUE, answer.result());
        assertEquals(needed, answer.first());
        answer = context.load(module, new ModuleRequest(hash, none, range));
        assertEquals(new TestSession.Answer(CudaResult.SUCCESS, needed, 0), answer);
        assertEquals(context.description().kernels(), ModuleDescription.read(range).kernels());
    }

    @Test
    void givenBusyReader_whenModuleIsLoaded_thenLaterCallsPrecedeAndAreaIsInUse() {
        List<Runnable> readings = new ArrayList<>();
        try (TestSession slow = readingLater(readings)) {
            TestSession.Context own = slow.newContext();
            byte[] image = Kernels.cubin();
            long module = slow.newHandle();
            long call = slow.newCall();
            ModuleRequest request =
                    new ModuleRequest(
                            TestSession.sha256(image), TestSession.segment(image), own.description);

            List<CudaResult> results =
                    slow.begin(reply ->
                            slow.executor.loadModule(call, own.handle, module, request, reply));

            assertEquals(7, own.readInt(written(own, 7)));
            assertEquals(List.of(), results);
            assertEquals(call, slow.executor.oldestAreaUse());
            assertEquals(CudaResult.INVALID_HANDLE, slow.executor.unloadModule(module));
            readings.removeFirst().run();
            slow.workUntil(() -> !readings.isEmpty());
            assertEquals(List.of(), results);
            readings.removeFirst().run();
            slow.workUntil(() -> !results.isEmpty());
            assertEquals(List.of(CudaResult.SUCCESS), results);
            assertEquals(CudaExecutor.NO_CALL, slow.executor.oldestAreaUse());
            assertSuccess(slow.executor.unloadModule(module));
        }
    }

    /// Opens a session whose modules are read by actions that the test runs.
    private static TestSession readingLater(List<Runnable> readings) {
        return new TestSession(
                "workers=1", ExecutorLimits.DEFAULT, new ModuleCache(1 << 20), readings::add);
    }

    @Test
    void givenSeveralLoads_whenFirstResultIsNotTaken_thenNextIsNotRead() {
        List<Runnable> readings = new ArrayList<>();
        try (TestSession slow = readingLater(readings)) {
            TestSession.Context own = slow.newContext();
            byte[] image = Kernels.cubin();
            ModuleRequest request =
                    new ModuleRequest(
                            TestSession.sha256(image), TestSession.segment(image), own.description);
            List<CudaResult> results = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                slow.executor.loadModule(
                        slow.newCall(),
                        own.handle,
                        slow.newHandle(),
                        request,
                        (result, _, _) -> results.add(result));
            }
            assertEquals(1, readings.size());
            readings.removeFirst().run();
            assertEquals(0, readings.size());

            slow.executor.doWork();

            assertEquals(2, readings.size(), "the next reading, and the preparation of the upload");
            while (results.size() < 2) {
                while (!readings.isEmpty() && results.size() < 2) {
                    readings.removeFirst().run();
                }
                slow.executor.doWork();
            }
            assertSuccess(slow.executor.destroyContext(own.handle));
            assertEquals(3, results.size());
            readings.forEach(Runnable::run);
            readings.clear();
            TestSession.Context next = slow.newContext();
            slow.executor.loadModule(
                    slow.newCall(),
                    next.handle,
                    slow.newHandle(),
                    request,
                    (result, _, _) -> results.add(result));
            assertEquals(1, readings.size());
        }
    }

    @Test
    void givenModuleBeingRead_whenContextIsDestroyed_thenCallCompletesAndAreaIsFreeAfterReading() {
        List<Runnable> readings = new ArrayList<>();
        try (TestSession slow = readingLater(readings)) {
            TestSession.Context own = slow.newContext();
            byte[] image = Kernels.cubin();
            ModuleRequest request =
                    new ModuleRequest(
                            TestSession.sha256(image), TestSession.segment(image), own.description);
            List<CudaResult> results =
                    slow.begin(reply ->
                            slow.executor.loadModule(
                                    slow.newCall(), own.handle, slow.newHandle(), request, reply));

            assertSuccess(slow.executor.destroyContext(own.handle));

            assertEquals(List.of(CudaResult.CONTEXT_IS_DESTROYED), results);
            assertEquals(CudaExecutor.NO_CALL, slow.executor.oldestAreaUse());
            readings.getFirst().run();
            assertNull(slow.cache.find(TestSession.sha256(image)));
        }
    }

    @Test
    void givenModuleBeyondMemory_whenLoaded_thenErrorIsOutOfMemoryAndHandleIsFree() {
        byte[] large = Kernels.cubin();
        long all = context.allocate(50 << 20);
        long rest = 0;
        while (true) {
            TestSession.Answer answer =
                    session.await(reply -> executor.allocate(context.handle, 1 << 20, reply));
            if (answer.result() != CudaResult.SUCCESS) {
                break;
            }
            rest = answer.first();
        }
        long handle = session.newHandle();
        CudaResult result = context.loadResult(handle, large);
        while (result == CudaResult.SUCCESS) {
            handle = session.newHandle();
            result = context.loadResult(handle, large);
        }
        assertEquals(CudaResult.OUT_OF_MEMORY, result);

        assertSuccess(executor.free(rest));
        assertSuccess(context.loadResult(handle, large));
        assertSuccess(executor.free(all));
    }

    @Test
    void givenNoHostMemory_whenModuleIsLoaded_thenErrorIsOutOfMemoryAndVramIsFree() {
        long free = context.freeVramBytes();
        session.isHostMemoryUsedUp = true;

        assertEquals(
                CudaResult.OUT_OF_MEMORY, context.loadResult(session.newHandle(), Kernels.cubin()));

        session.isHostMemoryUsedUp = false;
        assertEquals(free, context.freeVramBytes());
        context.module();
    }

    @Test
    void givenUnloadedModule_whenUsed_thenHandleIsInvalid() {
        long memory = context.allocate(4);
        assertSuccess(context.launch(context.stream, Kernels.NUMBER, 1, memory, 3));
        assertSuccess(executor.unloadModule(context.module()));

        assertEquals(
                CudaResult.INVALID_HANDLE,
                context.launch(context.stream, Kernels.NUMBER, 1, memory, 4));
        assertEquals(CudaResult.INVALID_HANDLE, executor.unloadModule(context.module()));
        assertEquals(3, context.readInt(memory));
    }

    @Test
    void givenInvalidLaunches_whenLaunched_thenResultIsCudas() {
        long module = context.module();
        MemorySegment parameters = MemorySegment.ofArray(new byte[12]);
        CudaResult invalid = CudaResult.INVALID_VALUE;
        assertEquals(invalid, launch(module, 0, LaunchShape.of(1, 1025), parameters));
        assertEquals(invalid, launch(module, 0, LaunchShape.of(0, 1), parameters));
        assertEquals(invalid, launch(module, 0, LaunchShape.of(1, -1), parameters));
        assertEquals(invalid, launch(module, 0, LaunchShape.of(1, 1), parameters.asSlice(0, 11)));
        assertEquals(
                CudaResult.LAUNCH_OUT_OF_RESOURCES,
                launch(module, 0, LaunchShape.of(1, 1).withDynamicShared(49153), parameters));
        assertEquals(
                CudaResult.INVALID_HANDLE,
                launch(module, Kernels.COUNT, LaunchShape.of(1, 1), parameters));
        assertEquals(
                CudaResult.INVALID_HANDLE, launch(module, -1, LaunchShape.of(1, 1), parameters));
        TestSession.Context other = session.newContext();
        assertEquals(
                CudaResult.INVALID_HANDLE,
                executor.launch(
                        session.newCall(),
                        other.stream,
                        module,
                        0,
                        LaunchShape.of(1, 1),
                        false,
                        parameters));
    }

    @Test
    void givenCooperativeLaunch_whenTooLarge_thenResultIsCudas() {
        long memory = context.allocate(4 * 8 * TestSession.MULTIPROCESSORS + 4);
        MemorySegment parameters = MemorySegment.ofArray(new byte[12]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, memory);
        int most = 8 * TestSession.MULTIPROCESSORS;

        assertSuccess(cooperative(LaunchShape.of(most, 1), parameters));
        assertEquals(
                CudaResult.COOPERATIVE_LAUNCH_TOO_LARGE,
                cooperative(LaunchShape.of(most + 1, 1), parameters));
        assertEquals(CudaResult.INVALID_VALUE, cooperative(LaunchShape.of(1, 0), parameters));
    }

    @Test
    void givenKernel_whenOccupancyIsRead_thenBlocksAreThoseOfCalculator() {
        long module = context.module();
        assertEquals(6, occupancy(module, 0, 256, 0).first());
        assertEquals(0, occupancy(module, 0, 2048, 0).first());
        assertEquals(3, occupancy(module, 0, 32, 16 << 10).first());
        assertEquals(CudaResult.INVALID_VALUE, occupancy(module, 0, 0, 0).result());
        assertEquals(CudaResult.INVALID_VALUE, occupancy(module, 0, 1, -1).result());
        assertEquals(CudaResult.INVALID_HANDLE, occupancy(module, 99, 1, 0).result());
    }

    @Test
    void givenKernelAttributes_whenSet_thenValuesAreChecked() {
        long module = context.module();
        assertSuccess(executor.setKernelAttribute(module, 0, 8, 48 << 10));
        assertSuccess(executor.setKernelAttribute(module, 0, 9, -1));
        CudaResult invalid = CudaResult.INVALID_VALUE;
        assertEquals(invalid, executor.setKernelAttribute(module, 0, 8, (48 << 10) + 1));
        assertEquals(invalid, executor.setKernelAttribute(module, 0, 9, 101));
        assertEquals(invalid, executor.setKernelAttribute(module, 0, 0, 1));
        assertSuccess(executor.setCacheConfig(module, 0, 3));
        assertEquals(invalid, executor.setCacheConfig(module, 0, 4));
        assertEquals(CudaResult.INVALID_HANDLE, executor.setCacheConfig(module, 99, 0));
    }

    @Test
    void givenTexture_whenBound_thenKernelReadsTexel() {
        long module = context.load(Kernels.cubin(TEXTURE));
        long texture = session.newHandle();
        long memory = context.allocate(1024);
        context.write(memory + 512, new byte[] {1, 2, 3, 4});
        long out = context.allocate(4);
        MemorySegment parameters = MemorySegment.ofArray(new byte[8]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, out);
        assertEquals(
                CudaResult.NOT_FOUND,
                session.await(reply -> executor.findTexture(module, texture, "no", reply))
                        .result());
        assertSuccess(
                session.await(reply -> executor.findTexture(module, texture, "numbers", reply))
                        .result());

        assertSuccess(executor.setTextureFormat(texture, 0x03, 1));
        assertSuccess(executor.setTextureFlags(texture, CudaExecutor.READ_AS_INTEGER));
        assertSuccess(executor.setTextureAddress(texture, memory + 512, 4));
        assertSuccess(launch(module, 0, LaunchShape.of(1, 1), parameters));

        assertEquals(0x0403_0201, context.readInt(out));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureFormat(texture, 99, 1));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureFormat(texture, 0x03, 3));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureAddress(texture, 1, 4));
        assertEquals(CudaResult.INVALID_HANDLE, executor.setTextureFlags(1L << 40, 0));
        assertSuccess(executor.setTextureAddressMode(texture, 2, 3));
        assertSuccess(executor.setTextureFilterMode(texture, 1));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureAddressMode(texture, 3, 0));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureAddressMode(texture, 0, 4));
        assertEquals(CudaResult.INVALID_VALUE, executor.setTextureFilterMode(texture, 2));
    }

    @Test
    void givenNoMemory_whenTextureIsRead_thenTexelsAreZero() {
        long module = context.load(Kernels.cubin(TEXTURE));
        long texture = session.newHandle();
        long out = written(context, 7);
        MemorySegment parameters = MemorySegment.ofArray(new byte[8]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, out);

        assertSuccess(launch(module, 0, LaunchShape.of(1, 1), parameters));

        assertEquals(0, context.readInt(out));
        assertSuccess(findTexture(module, texture));
        long freed = written(context, 5);
        assertSuccess(executor.setTextureAddress(texture, freed, 4));
        assertSuccess(executor.free(freed));
        context.write(out, new byte[] {9, 0, 0, 0});

        assertSuccess(launch(module, 0, LaunchShape.of(1, 1), parameters));

        assertEquals(0, context.readInt(out));
    }

    @Test
    void givenFreedMemory_whenOtherMemoryIsBound_thenKernelReadsIt() {
        long module = context.load(Kernels.cubin(TEXTURE));
        long texture = session.newHandle();
        long out = written(context, 7);
        MemorySegment parameters = MemorySegment.ofArray(new byte[8]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, out);
        assertSuccess(findTexture(module, texture));
        long freed = written(context, 5);
        assertSuccess(executor.setTextureAddress(texture, freed, 4));
        assertSuccess(executor.free(freed));

        assertSuccess(executor.setTextureFormat(texture, 0x03, 1));
        assertSuccess(executor.setTextureFlags(texture, CudaExecutor.READ_AS_INTEGER));
        assertSuccess(executor.setTextureAddress(texture, written(context, 6), 4));
        assertSuccess(launch(module, 0, LaunchShape.of(1, 1), parameters));

        assertEquals(6, context.readInt(out));
    }

    /// Returns the address of memory that contains an integer.
    private static long written(TestSession.Context context, int value) {
        long memory = context.allocate(4);
        context.write(memory, new byte[] {(byte) value, 0, 0, 0});
        return memory;
    }

    @Test
    void givenTexture_whenModuleIsUnloaded_thenHandleIsInvalidAndIndexIsFree() {
        long module = context.load(Kernels.cubin(TEXTURE));
        long other = context.load(Kernels.cubin(TEXTURE));
        long texture = session.newHandle();
        long kept = session.newHandle();
        assertSuccess(findTexture(module, texture));
        assertSuccess(findTexture(other, kept));

        assertSuccess(executor.unloadModule(module));

        assertEquals(CudaResult.INVALID_HANDLE, executor.setTextureFlags(texture, 0));
        assertSuccess(executor.setTextureFlags(kept, 0));
        assertSuccess(findTexture(other, texture));
    }

    private CudaResult findTexture(long module, long texture) {
        return session.await(reply -> executor.findTexture(module, texture, "numbers", reply))
                .result();
    }

    private CudaResult refused(byte[] image) {
        return context.loadResult(session.newHandle(), image);
    }

    private CudaResult loadKnown(long module, byte[] hash) {
        MemorySegment none = TestSession.segment(new byte[0]);
        return context.load(module, new ModuleRequest(hash, none, context.description)).result();
    }

    private ModuleDescription describe(byte[] image) {
        context.load(image);
        return context.description();
    }

    private CudaResult launch(
            long module, int kernel, LaunchShape shape, MemorySegment parameters) {
        return executor.launch(
                session.newCall(), context.stream, module, kernel, shape, false, parameters);
    }

    private CudaResult cooperative(LaunchShape shape, MemorySegment parameters) {
        return executor.launch(
                session.newCall(),
                context.stream,
                context.module(),
                Kernels.NUMBER,
                shape,
                true,
                parameters);
    }

    private TestSession.Answer occupancy(long module, int kernel, int threads, long shared) {
        return session.await(
                reply -> executor.findOccupancy(module, kernel, threads, shared, reply));
    }
}
