package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of loops, matrices, copies and empty launches, on a software GPU.
class BasicWorkloadsTest {
    private static final int VRAM_BYTES = 256 << 20;
    private static final int GUARD_BYTES = 16 << 10;
    private static final byte GUARD = 0x5a;

    /// Number of rows of a matrix that ends at a multiple of 256 bytes, as its memory does, but in
    /// the middle of a tile.
    private static final int FULL_UNITS = 24;

    private static NativeGpu gpu;
    private static GpuContext context;

    @BeforeAll
    static void open() {
        gpu = new NativeGpu("vram=256M");
        context = gpu.openContext();
    }

    @AfterAll
    static void close() {
        context.close();
        gpu.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loop", "madd", "mmul", "fmadd", "fmmul", "cpy", "pincpy", "nop", "delay", "mix"
            })
    void givenSmallAndOddSizes_whenRun_thenResultsMatchCpu(String name) {
        for (int size : new int[] {1, 2, 3, 15, 16, 17, 31, 33, 64, 100, 129}) {
            runVerified(name, size);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "loop, 1000",
        "madd, 1000",
        "mmul, 200",
        "fmadd, 1000",
        "fmmul, 200",
        "cpy, 10000001",
        "pincpy, 10000001",
        "nop, 3000",
        "delay, 1000",
        "mix, 30000"
    })
    void givenMediumSizes_whenRun_thenResultsMatchCpu(String name, int size) {
        runVerified(name, size);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "loop, 300000",
        "madd, 3333",
        "mmul, 1024",
        "fmadd, 3333",
        "fmmul, 1024",
        "cpy, 200000001",
        "pincpy, 200000001",
        "nop, 1000000",
        "delay, 100000",
        "mix, 1000000"
    })
    void givenLargeSizes_whenRun_thenResultsMatchCpu(String name, int size) {
        runVerified(name, size);
    }

    @ParameterizedTest
    @CsvSource({
        "loop, 10",
        "madd, 50",
        "mmul, 50",
        "fmadd, 50",
        "fmmul, 50",
        "cpy, 5000",
        "pincpy, 5000",
        "mix, 50"
    })
    void givenFlippedBitInResult_whenVerified_thenErrorNamesElement(String name, int size) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Workload workload = Workloads.named(name);
        try (GpuRun run = (GpuRun) workload.prepare(context, size, seed)) {
            run.initialize();
            run.copyIn();
            run.launch();
            DeviceMemory result = run.memory().getLast();
            long at = flipABit(result, random);
            run.copyOut();

            String message =
                    assertThrows(WrongResultException.class, run::verify, "seed=" + seed)
                            .getMessage();

            long element = name.endsWith("cpy") ? at : at / Integer.BYTES;
            assertTrue(message.contains("[" + element + "]="), message + ", seed=" + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "madd", "mmul", "fmadd", "fmmul"})
    void givenNoLaunch_whenVerified_thenResultIsWrong(String name) {
        try (GpuRun run = (GpuRun) Workloads.named(name).prepare(context, 40, 1)) {
            run.initialize();
            run.copyIn();
            DeviceMemory result = run.memory().getLast();
            context.defaultStream().fill(result, 0, result.bytes(), 0);
            run.copyOut();

            assertThrows(WrongResultException.class, run::verify);
        }
    }

    /// Tests that no thread changes foreign memory beyond the end of the result.
    @ParameterizedTest
    @ValueSource(strings = {"loop", "madd", "mmul", "fmadd", "fmmul", "cpy", "pincpy", "mix"})
    void givenForeignMemoryAfterResult_whenRun_thenForeignMemoryIsUnchanged(String name) {
        try (WorkloadRun run = Workloads.named(name).prepare(context, FULL_UNITS, 1)) {
            run.initialize();
            try (DeviceMemory after = context.allocate(GUARD_BYTES)) {
                context.defaultStream().fill(after, 0, GUARD_BYTES, GUARD);
                run.copyIn();
                run.launch();
                run.copyOut();
                run.verify();

                byte[] contents = new byte[GUARD_BYTES];
                context.defaultStream().copyToHost(MemorySegment.ofArray(contents), after, 0);
                for (int i = 0; i < contents.length; i++) {
                    assertEquals(GUARD, contents[i], "at=" + i);
                }
            }
        }
    }

    @Test
    void givenVerifiedRun_whenPhasesAreRepeated_thenResultIsVerifiedAndWorkIsUnchanged() {
        for (Workload workload : Workloads.all()) {
            try (WorkloadRun run = workload.prepare(context, 40, 1)) {
                run.initialize();
                Work first = wipeAndRun(run);

                assertEquals(first, wipeAndRun(run), workload.name());
            }
        }
    }

    private static Work wipeAndRun(WorkloadRun run) {
        run.wipe();
        run.copyIn();
        run.launch();
        run.copyOut();
        run.verify();
        return run.work();
    }

    @Test
    void givenRunsThatEndEarly_whenClosed_thenMemoryIsReusable() {
        int size = 40 << 20;
        for (int i = 0; i < 2 * VRAM_BYTES / size; i++) {
            WorkloadRun run = Workloads.named("cpy").prepare(context, size, i);
            run.initialize();
            run.close();
            run.close();
        }
    }

    @Test
    void givenUnstartedRun_whenClosed_thenCallHasNoEffect() {
        for (Workload workload : Workloads.all()) {
            workload.prepare(context, workload.size().least(), 0).close();
        }
    }

    @Test
    void givenSizesOutOfRange_whenPrepared_thenErrorsNameLimits() {
        for (Workload workload : Workloads.all()) {
            WorkloadSize size = workload.size();
            for (int bad : new int[] {size.least() - 1, size.most() + 1, Integer.MIN_VALUE}) {
                String message =
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> workload.prepare(context, bad, 0),
                                        workload.name())
                                .getMessage();
                assertTrue(message.startsWith("size=" + bad + ", expected "), message);
            }
        }
    }

    @Test
    void givenMatrices_whenRun_thenWorkMatchesSize() {
        assertEquals(
                new Work(2 * 4 * 49, 4 * 49, 1, 49, "op"),
                Timings.of(new Task(Workloads.named("madd"), 7), context, 1).work());
        assertEquals(
                new Work(2 * 4 * 49, 4 * 49, 1, 2 * 343, "flop"),
                Timings.of(new Task(Workloads.named("fmmul"), 7), context, 1).work());
    }

    /// @return offset of the byte
    private static long flipABit(DeviceMemory memory, SplittableRandom random) {
        long at = random.nextLong(memory.bytes());
        byte[] one = new byte[1];
        context.defaultStream().copyToHost(MemorySegment.ofArray(one), memory, at);
        one[0] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        context.defaultStream().copyToDevice(memory, at, MemorySegment.ofArray(one));
        context.synchronize();
        return at;
    }

    private static void runVerified(String name, int size) {
        long seed = System.nanoTime();
        try {
            Timings.of(new Task(Workloads.named(name), size), context, seed);
        } catch (RuntimeException e) {
            throw new AssertionError(name + ", size=" + size + ", seed=" + seed, e);
        }
    }
}
