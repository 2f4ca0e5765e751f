package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of two unmodified guests that share one GPU, each with a virtual GPU. They run alone,
/// because Linux's driver waits for the GPU for two seconds at most.
@Tag("realguest")
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealGuestsShareTest {
    /// Tests faults and failing kernels at about the same time: both guests are powered on
    /// together, and both cause errors and then copy.
    @Test
    void givenOldestAndNewestLinux_whenBothCauseErrorsAndCopy_thenErrorsReachCausingGuest()
            throws InterruptedException {
        causeErrorsAndCopy("6.1", "7.2");
    }

    @Test
    @Tag("long")
    void givenTwoEqualGuests_whenBothCauseErrorsAndCopy_thenErrorsReachCausingGuest()
            throws InterruptedException {
        causeErrorsAndCopy("6.12", "6.12");
    }

    private static void causeErrorsAndCopy(String firstKernel, String secondKernel)
            throws InterruptedException {
        PassingRun.of(
                RunOptions.of(firstKernel, "fault,gpu-trap,copy")
                        .withGpu("soft,vram=1G,watchdog=2")
                        .withVms(
                                VmSpec.of("vm0", firstKernel, "fv"),
                                VmSpec.of("vm1", secondKernel, "fv")));
    }

    /// Tests compute shaders, which Mesa compiles to machine code independently of this project.
    /// Clears do not depend on the execution mode.
    @Test
    void givenMesaInTwoGuestsWithDifferentLinux_whenBothComputeAndClear_thenAllResultsAreCorrect()
            throws InterruptedException {
        computeWithMesa("compiled", "gles-compute,gles-clear");
    }

    @Test
    @Tag("long")
    void givenInterpreter_whenMesaComputesInTwoGuests_thenAllResultsAreCorrect()
            throws InterruptedException {
        computeWithMesa("interpreter", "gles-compute");
    }

    private static void computeWithMesa(String engine, String programs)
            throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of("6.12", programs)
                                .withArguments("seconds=5")
                                .withGpu("soft,vram=1G,engine=" + engine)
                                .withVms(
                                        VmSpec.of("vm0", "6.12", "fv"),
                                        VmSpec.of("vm1", "7.2", "fv")));
        JsonNode counters = report.server().at("/gpu/counters");
        assertNotEquals(0, counters.path("COMPUTE_LAUNCHES").asLong());
        assertEquals(
                engine.equals("compiled"),
                counters.path("COMPILED_INSTRUCTIONS").asLong() > 0,
                counters::toString);
        assertEquals(0, counters.path("CLEARS_LEFT_OUT").asLong());
    }
}
