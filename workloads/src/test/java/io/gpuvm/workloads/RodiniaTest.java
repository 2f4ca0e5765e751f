package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the algorithms of the Rodinia suite, on a software GPU.
class RodiniaTest {
    private static final int GUARD_BYTES = 64 << 10;

    /// Byte that, repeated four times, is NaN as a float.
    private static final int FILLING = 0xff;

    private static NativeGpu gpu;

    private final long seed = System.nanoTime();
    private GpuContext context;

    @BeforeAll
    static void start() {
        gpu = new NativeGpu("vram=256M");
    }

    @AfterAll
    static void stop() {
        gpu.close();
    }

    /// Opens one context per test, because a failing kernel makes the context unusable.
    @BeforeEach
    void open() {
        context = gpu.openContext();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @ParameterizedTest
    @CsvSource({
        "backprop, 1", "backprop, 15", "backprop, 16", "backprop, 300", "backprop, 4095",
        "bfs, 1", "bfs, 2", "bfs, 255", "bfs, 257", "bfs, 5000",
        "hotspot, 1", "hotspot, 2", "hotspot, 12", "hotspot, 13", "hotspot, 50",
        "lud, 1", "lud, 2", "lud, 16", "lud, 17", "lud, 100",
        "nn, 1", "nn, 2", "nn, 9", "nn, 257", "nn, 10000",
        "nw, 1", "nw, 2", "nw, 16", "nw, 17", "nw, 150",
        "srad, 8", "srad, 9", "srad, 16", "srad, 17", "srad, 50",
        "srad2, 16", "srad2, 17", "srad2, 33", "srad2, 50", "srad2, 130",
        "heartwall, 1", "heartwall, 2", "heartwall, 7"
    })
    void givenSize_whenRun_thenResultMatchesCpu(String name, int size) {
        runAndVerify(name, size);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "backprop, 300000",
        "bfs, 500000",
        "hotspot, 700",
        "lud, 1000",
        "nn, 3000001",
        "nw, 2047",
        "srad, 501",
        "srad2, 501",
        "heartwall, 104"
    })
    void givenLargeSize_whenRun_thenResultMatchesCpu(String name, int size) {
        runAndVerify(name, size);
    }

    private void runAndVerify(String name, int size) {
        try (WorkloadRun run = Workloads.named(name).prepare(context, size, seed)) {
            upToResult(run);
            verify(run);

            Work work = run.work();
            assertTrue(work.bytesIn() > 0 && work.bytesOut() > 0 && work.launches() > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "backprop",
                "bfs",
                "hotspot",
                "lud",
                "nn",
                "nw",
                "srad",
                "srad2",
                "heartwall"
            })
    void givenWrongWord_whenVerified_thenErrorNamesIndex(String name) {
        try (WorkloadRun run = Workloads.named(name).prepare(context, 40, seed)) {
            upToResult(run);
            MemorySegment result = ((KernelRun) run).result();
            int at = new Random(seed).nextInt((int) result.byteSize() / Integer.BYTES);
            int right = result.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at);
            result.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at, ~right);

            WrongResultException e =
                    assertThrows(WrongResultException.class, run::verify, () -> "seed=" + seed);

            assertTrue(e.getMessage().contains("[" + at + "]="), e::getMessage);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "backprop",
                "bfs",
                "hotspot",
                "lud",
                "nn",
                "nw",
                "srad",
                "srad2",
                "heartwall"
            })
    void givenUnlaunchedKernels_whenVerified_thenResultIsWrong(String name) {
        try (WorkloadRun run = Workloads.named(name).prepare(context, 40, 1)) {
            run.initialize();
            run.copyIn();
            run.copyOut();

            assertThrows(WrongResultException.class, run::verify);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "backprop, 36",
        "bfs, 257",
        "hotspot, 13",
        "lud, 18",
        "nn, 257",
        "nw, 17",
        "srad, 17",
        "srad2, 17",
        "heartwall, 3"
    })
    void givenForeignData_whenRun_thenDataHasNoEffectAndIsUnchanged(String name, int size) {
        fillAndFree();
        try (WorkloadRun run = Workloads.named(name).prepare(context, size, seed);
                DeviceMemory before = filled(GUARD_BYTES)) {
            run.initialize();
            try (DeviceMemory after = filled(GUARD_BYTES)) {
                run.copyIn();
                run.launch();
                run.copyOut();

                verify(run);
                assertFilled(before);
                assertFilled(after);
            }
        }
    }

    /// Leaves NaNs in the memory that later runs allocate.
    private void fillAndFree() {
        filled(16 << 20).close();
        context.synchronize();
    }

    private DeviceMemory filled(int bytes) {
        DeviceMemory memory = context.allocate(bytes);
        context.defaultStream().fill(memory, 0, bytes, FILLING);
        return memory;
    }

    private void assertFilled(DeviceMemory memory) {
        byte[] contents = new byte[(int) memory.bytes()];
        context.defaultStream().copyToHost(MemorySegment.ofArray(contents), memory, 0);
        for (int i = 0; i < contents.length; i++) {
            assertEquals((byte) FILLING, contents[i], "at=" + i + ", seed=" + seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 30", "30, 1", "25, 11", "12, 37"})
    void givenNonSquareChip_whenRun_thenResultMatchesCpu(int columns, int rows) {
        ThermalModel model = ThermalModel.of(columns, rows);
        SplittableRandom random = new SplittableRandom(seed);
        HotspotProblem problem = HotspotProblem.random(model, random);
        try (WorkloadRun run = new Hotspot.Run(context, problem)) {
            upToResult(run);
            verify(run);
        }
    }

    @ParameterizedTest
    @CsvSource({"11, 25", "33, 9"})
    void givenNonSquareImage_whenRun_thenResultMatchesCpu(int columns, int rows) {
        SpeckleImage image = SpeckleImage.random(columns, rows, seed);
        try (WorkloadRun run = new Srad.Run(context, image)) {
            upToResult(run);
            verify(run);
        }
        SpeckleImage large = SpeckleImage.random(2 * columns, 2 * rows, seed);
        try (WorkloadRun run = new Srad2.Run(context, large)) {
            upToResult(run);
            verify(run);
        }
    }

    private static void upToResult(WorkloadRun run) {
        run.initialize();
        run.copyIn();
        run.launch();
        run.copyOut();
    }

    private void verify(WorkloadRun run) {
        try {
            run.verify();
        } catch (WrongResultException e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }
}
