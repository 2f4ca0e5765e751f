package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the runtime in unmodified guests, on the guests' nouveau. Many tests end in a fault
/// while other channels wait, and nouveau needs 15 s to close each of these channels.
@Tag("realguest")
@Tag("long")
@Timeout(value = 25, unit = TimeUnit.MINUTES)
class RuntimeSuiteTest {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /// Classes of tests, each of which has a test that nouveau can run.
    private static final Set<String> CLASSES =
            Set.of(
                    "CopyTest",
                    "MemoryTest",
                    "LaunchTest",
                    "LaunchLimitsTest",
                    "GpuTextureTest",
                    "StreamTest",
                    "ManyThreadsTest",
                    "FailureTest",
                    "EndingTest");

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenVirtualGpu_whenRuntimeIsTestedInGuest_thenTestsOfEachClassPass(String kernel)
            throws InterruptedException {
        requireAllClasses(
                RunOptions.of(kernel, RunOptions.SUITE)
                        .withVms(VmSpec.of("vm0", kernel, "fv"))
                        .withGpu("soft,vram=256M"));
    }

    /// Tests the whole GPU. The GPU's watchdog ends endless kernels, as a backend does on a shared
    /// GPU.
    @Test
    void givenPassThroughGpu_whenRuntimeIsTestedInGuest_thenTestsOfEachClassPass()
            throws InterruptedException {
        requireAllClasses(
                RunOptions.of("7.2", RunOptions.SUITE).withGpu("soft,vram=256M,watchdog=10"));
    }

    private static void requireAllClasses(RunOptions options) throws InterruptedException {
        RunReport report = PassingRun.of(options.withTimeout(LIMIT));
        Set<String> passed =
                report.vms().getFirst().verdict().cases().stream()
                        .filter(GuestEvent.Case::passed)
                        .map(test -> test.name().substring(0, test.name().indexOf('.')))
                        .collect(Collectors.toSet());
        assertEquals(CLASSES, passed);
    }
}
