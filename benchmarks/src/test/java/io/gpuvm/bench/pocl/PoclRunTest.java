package io.gpuvm.bench.pocl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.WrongResultException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of kernels in OpenCL C, on PoCL.
class PoclRunTest {
    /// Number of divisions after which the JVM has compiled the loop.
    private static final int DIVISIONS = 100_000;

    private static PoclDevice device;

    private final long seed = System.nanoTime();

    @BeforeAll
    static void open() {
        device = PoclOrSkip.open();
    }

    @AfterAll
    static void close() {
        if (device != null) {
            device.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void givenSmallAndOddSizes_whenRun_thenResultsEqualCpuResults(ComparedWorkload workload) {
        for (int size : new int[] {1, 2, 12, 13, 16, 17, 33, 100}) {
            try (WorkloadRun run = workload.onPocl(device, size, seed)) {
                run.initialize();
                run.wipe();
                run.copyIn();
                run.launch();
                run.copyOut();
                verify(run, size);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void givenNoLaunchAfterWipe_whenVerified_thenResultIsWrong(ComparedWorkload workload) {
        try (WorkloadRun run = workload.onPocl(device, 40, seed)) {
            run.initialize();
            run.copyIn();
            run.launch();
            run.wipe();
            run.copyIn();
            run.copyOut();

            assertThrows(WrongResultException.class, run::verify);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givenWorkloadOnBothSides_whenMeasured_thenRoundsAreVerifiedAndHaveEqualWork(
            ComparedWorkload workload) {
        try (NativeGpu gpu = NativeGpu.open(GpuSpec.parse("soft,vram=64M,display=off"))) {
            LaunchTimes times = workload.measure(gpu.context(), device, 50, seed, 1, 3);

            assertEquals(3, times.rounds().size());
        }
    }

    /// Tests that the JVM still handles SIGFPE, from which it creates an ArithmeticException. By
    /// default, PoCL replaces the handler of this signal.
    @Test
    void givenPoclLoaded_whenCompiledCodeDividesByZero_thenJvmThrows() {
        int thrown = 0;
        for (int i = 0; i < DIVISIONS; i++) {
            if (divisionThrows(i, i % 2)) {
                thrown++;
            }
        }

        assertEquals(DIVISIONS / 2, thrown);
    }

    private static boolean divisionThrows(int dividend, int divisor) {
        try {
            return dividend / divisor < 0;
        } catch (ArithmeticException _) {
            return true;
        }
    }

    private void verify(WorkloadRun run, int size) {
        try {
            run.verify();
        } catch (WrongResultException e) {
            throw new AssertionError("size=" + size + ", seed=" + seed, e);
        }
    }
}
