package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaunchTest {
    private final TestContext gpu = new TestContext();
    private final DeviceMemory out = gpu.context().allocate(4 * 1024);

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenKernel_whenLaunched_thenEachThreadStoresOwnIndex() {
        GpuKernel kernel = gpu.kernel("number", Kernels.NUMBER);
        gpu.stream().launch(kernel, LaunchShape.of(3, 100), arguments().i32(1000));
        assertWords(IntStream.range(1000, 1300).toArray());
    }

    @Test
    void givenTwoKernels_whenLaunchedAlternately_thenEachLaunchReceivesOwnArguments() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        GpuKernel add = gpu.kernel("add", Kernels.ADD);
        gpu.stream().launch(number, LaunchShape.of(1, 64), arguments().i32(7));
        for (int i = 1; i <= 20; i++) {
            gpu.stream().launch(add, LaunchShape.of(2, 32), arguments().i32(i));
        }
        gpu.stream().launch(number, LaunchShape.of(1, 32), arguments().i32(-5));
        int[] expected = IntStream.range(0, 64).map(i -> i < 32 ? i - 5 : i + 7 + 210).toArray();
        assertWords(expected);
    }

    @Test
    void givenLaunchesThatAreOffered_whenOtherWorkFollows_thenOrderIsThatOfCalls() {
        GpuKernel add = gpu.kernel("add", Kernels.ADD);
        GpuStream stream = gpu.stream();
        LaunchShape shape = LaunchShape.of(1, 32);
        DeviceMemory copied = gpu.context().allocate(4);
        stream.fill(out, 0, out.bytes(), 0);
        for (int i = 0; i < 10_000; i++) {
            while (!stream.offerLaunch(add, shape, packed(1))) {
                gpu.context().flush();
                stream.synchronize();
            }
            if (i == 5_000) {
                stream.copy(copied, 0, out, 0, 4);
            }
        }
        GpuPoint end = stream.point();
        while (!end.isDone()) {
            Thread.onSpinWait();
        }
        assertWords(IntStream.range(0, 32).map(_ -> 10_000).toArray());
        assertEquals(
                5_001,
                MemorySegment.ofArray(gpu.read(copied)).get(ValueLayout.JAVA_INT_UNALIGNED, 0));
    }

    @Test
    void givenEventBehindOfferedLaunch_whenStreamWaitsForIt_thenLaunchIsDone() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        GpuKernel add = gpu.kernel("add", Kernels.ADD);
        LaunchShape shape = LaunchShape.of(1, 32);
        try (GpuStream other = gpu.context().newStream();
                GpuEvent event = gpu.context().newEvent()) {
            gpu.stream().offerLaunch(number, shape, packed(100));
            gpu.stream().record(event);
            other.await(event);
            other.offerLaunch(add, shape, packed(1));
            other.synchronize();
        }
        assertWords(IntStream.range(101, 133).toArray());
    }

    @Test
    void givenOfferedLaunch_whenContextIsFlushed_thenKernelRuns() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        gpu.stream().offerLaunch(number, LaunchShape.of(1, 32), packed(7));
        gpu.context().flush();
        while (!gpu.stream().isDone()) {
            Thread.onSpinWait();
        }
        assertWords(IntStream.range(7, 39).toArray());
    }

    /// Returns parameters in the layout of [Kernels#NUMBER] and [Kernels#ADD].
    private MemorySegment packed(int added) {
        MemorySegment parameters = MemorySegment.ofArray(new byte[Long.BYTES + Integer.BYTES]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, out.gpuVa());
        parameters.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES, added);
        return parameters;
    }

    @Test
    void givenTwoDimensionalGrid_whenLaunched_thenBank0ContainsShape() {
        GpuKernel kernel = gpu.kernel("shape", Kernels.SHAPE);
        gpu.stream().launch(kernel, new LaunchShape(2, 3, 4, 5, 6, 7, 0), arguments());
        assertWords(5, 6, 7, 2, 3, 4);
    }

    @Test
    void givenLocalMemory_whenLaunchedOnAllMultiprocessors_thenThreadsAreSeparate() {
        GpuKernel kernel = gpu.kernel("local", Kernels.LOCAL);
        gpu.stream().launch(kernel, LaunchShape.of(16, 64), arguments());
        assertWords(IntStream.range(0, 1024).toArray());
    }

    @Test
    void givenDynamicSharedMemory_whenLaunched_thenDynamicPartFollowsStaticPart() {
        GpuKernel kernel = gpu.kernel("reverse", Kernels.REVERSE);
        LaunchShape shape = LaunchShape.of(2, 64).withDynamicShared(64 * 4);
        gpu.stream().launch(kernel, shape, arguments());
        assertWords(IntStream.range(0, 128).map(i -> i / 64 * 64 + 63 - i % 64).toArray());
    }

    @Test
    void givenModuleOf32BitPointers_whenLaunched_thenKernelReachesMemoryAndConstants() {
        GpuModule module = gpu.load(Kernels.NARROW);
        gpu.stream().launch(module.kernel("narrow"), LaunchShape.of(1, 1), arguments());
        assertWords(42);
        DeviceMemory factor = module.variable("factor");
        assertEquals(4, factor.bytes());
        gpu.stream().copyToDevice(factor, 0, MemorySegment.ofArray(new int[] {43}));
        gpu.stream().launch(module.kernel("narrow"), LaunchShape.of(1, 1), arguments());
        assertWords(43);
    }

    @Test
    void givenModuleAtReusedAddress_whenLaunched_thenNewCodeRuns() {
        for (int i = 0; i < 10; i++) {
            GpuModule number = gpu.load(Kernels.NUMBER);
            GpuKernel kernel = number.kernel("number");
            gpu.stream().launch(kernel, LaunchShape.of(1, 8), arguments().i32(i));
            number.close();
            GpuModule add = gpu.load(Kernels.ADD);
            kernel = add.kernel("add");
            gpu.stream().launch(kernel, LaunchShape.of(1, 8), arguments().i32(100));
            add.close();
            int first = 100 + i;
            assertWords(IntStream.range(first, first + 8).toArray());
        }
    }

    @Test
    void givenSameArguments_whenReusedForLaunches_thenEachLaunchReceivesArguments() {
        GpuKernel kernel = gpu.kernel("add", Kernels.ADD);
        gpu.stream().fill(out, 0, out.bytes(), 0);
        Arguments arguments = arguments().i32(3);
        for (int i = 0; i < 5; i++) {
            gpu.stream().launch(kernel, LaunchShape.of(1, 4), arguments);
        }
        assertWords(15, 15, 15, 15);
    }

    @Test
    void givenMoreLaunchesThanRingHolds_whenSubmitted_thenAllLaunchesRun() {
        GpuKernel kernel = gpu.kernel("add", Kernels.ADD);
        gpu.stream().fill(out, 0, out.bytes(), 0);
        for (int i = 0; i < 5000; i++) {
            gpu.stream().launch(kernel, LaunchShape.of(1, 1), arguments().i32(1));
        }
        assertWords(5000, 0);
    }

    @Test
    void givenTwoModulesWithConstants_whenLaunchedAlternatelyAndClosed_thenConstantsAreSeparate() {
        GpuModule first = gpu.load(Kernels.NARROW);
        GpuModule second = gpu.load(Kernels.NARROW.replace("42", "7"));
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        for (int i = 0; i < 5; i++) {
            gpu.stream().launch(first.kernel("narrow"), LaunchShape.of(1, 1), arguments());
            assertWords(42);
            gpu.stream().launch(second.kernel("narrow"), LaunchShape.of(1, 1), arguments());
            assertWords(7);
        }
        first.close();
        second.close();
        // The modules' constants are still bound, at addresses that are no longer mapped.
        gpu.context().allocate(1).close();
        gpu.stream().launch(number, LaunchShape.of(1, 3), arguments().i32(1));
        assertWords(1, 2, 3);
    }

    @Test
    void givenDynamicSharedMemoryOfAnySize_whenLaunched_thenAllBytesAreUsable() {
        GpuKernel kernel = gpu.kernel("reverse", Kernels.REVERSE);
        for (int more = 0; more < 9; more++) {
            LaunchShape shape = LaunchShape.of(1, 3).withDynamicShared(3 * 4 + more);
            gpu.stream().launch(kernel, shape, arguments());
            assertWords(2, 1, 0);
        }
    }

    @Test
    void givenStructure_whenPassed_thenKernelReadsMembers() {
        String source =
                Kernels.NUMBER
                        .replace(".param out, 8", ".param pair, 16")
                        .replace(".param added, 4", "")
                        .replace("c[out", "c[pair")
                        .replace("c[added]", "c[pair + 8]");
        GpuKernel kernel = gpu.kernel("number", source);
        byte[] pair = new byte[16];
        MemorySegment words = MemorySegment.ofArray(pair);
        words.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, out.gpuVa());
        words.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 1000);
        gpu.stream().launch(kernel, LaunchShape.of(1, 3), new Arguments().bytes(pair));
        assertWords(1000, 1001, 1002);

        Arguments members = new Arguments().pointer(out).i32(2000);
        gpu.stream().launch(kernel, LaunchShape.of(1, 3), new Arguments().structure(members));
        assertWords(2000, 2001, 2002);

        GpuException tooSmall =
                assertThrows(
                        GpuException.class,
                        () ->
                                gpu.stream()
                                        .launch(
                                                kernel,
                                                LaunchShape.of(1, 3),
                                                new Arguments()
                                                        .structure(new Arguments().pointer(out))));
        assertEquals("kernel number: bytes of argument 0=8, expected=16", tooSmall.getMessage());
    }

    @Test
    void givenRunningStreams_whenFirstStreamNeedsMoreLocalMemory_thenThreadsAreSeparate() {
        GpuStream other = gpu.context().newStream();
        GpuKernel small = gpu.kernel("local", Kernels.LOCAL);
        DeviceMemory others = gpu.context().allocate(4 * 1024);
        for (int bytes = 64; bytes <= 2048; bytes *= 2) {
            String source = Kernels.LOCAL.replace("place, 64", "place, " + bytes);
            GpuKernel large = gpu.kernel("local", source);
            other.launch(small, LaunchShape.of(16, 64), new Arguments().pointer(others));
            gpu.stream().launch(small, LaunchShape.of(16, 64), arguments());
            gpu.stream().launch(large, LaunchShape.of(16, 64), arguments());
            assertWords(IntStream.range(0, 1024).toArray());
            other.synchronize();
            assertArrayEquals(gpu.read(out), gpu.read(others));
            gpu.stream().fill(out, 0, out.bytes(), 0);
            other.fill(others, 0, others.bytes(), 0);
            other.synchronize();
        }
    }

    @Test
    void givenModuleOf32BitPointers_whenArgumentIsAbove4GiB_thenErrorNamesAddress() {
        assumeFalse(TestContext.isOnNouveau(), "the machine may have less than 4 GiB of memory");
        GpuKernel narrow = gpu.kernel("narrow", Kernels.NARROW);
        PinnedMemory wide = gpu.context().allocatePinned(4L << 30);
        assertError(
                GpuError.INVALID_VALUE,
                () -> {
                    Arguments arguments = new Arguments().pointer(wide, wide.bytes() - 4);
                    gpu.stream().launch(narrow, LaunchShape.of(1, 1), arguments);
                },
                "address of argument 0=" + (wide.gpuVa() + wide.bytes() - 4),
                "limit=4294967295");
        gpu.stream().launch(narrow, LaunchShape.of(1, 1), arguments());
        assertWords(42);
        for (long bytes = 64L << 20; bytes >= 4096; bytes /= 2) {
            long gpuVa;
            do {
                gpuVa = gpu.context().allocatePinned(bytes).gpuVa();
            } while (gpuVa < wide.gpuVa());
        }
        assertError(
                GpuError.INVALID_IMAGE,
                () -> gpu.load(Kernels.NARROW),
                "end of addresses=",
                "limit=4294967296");
        gpu.kernel("number", Kernels.NUMBER);
    }

    private Arguments arguments() {
        return new Arguments().pointer(out);
    }

    private void assertWords(int... expected) {
        int[] words = MemorySegment.ofArray(gpu.read(out)).toArray(ValueLayout.JAVA_INT_UNALIGNED);
        assertArrayEquals(expected, Arrays.copyOf(words, expected.length));
    }
}
