package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.evaluation.data.WorkloadSample.GpuTimes;
import org.junit.jupiter.api.Test;

class ValidityRuleTest {
    @Test
    void givenEnoughProcessorTime_whenChecked_thenSampleIsValid() {
        assertNull(ValidityRule.violation(new GpuTimes(1_000_000, 950_000, 0), 0));
        assertNull(ValidityRule.violation(new GpuTimes(1_000_000, 3_000_000, 0), 0));
    }

    @Test
    void givenNoBusyTime_whenChecked_thenReasonNamesLimit() {
        assertEquals(
                "busy time of the GPU: ns=0, expected at least 1",
                ValidityRule.violation(new GpuTimes(0, 0, 0), 0));
    }

    @Test
    void givenDelayedThreads_whenChecked_thenReasonNamesPercentageAndLimit() {
        assertEquals(
                "the GPU's threads had 94.9 % of its busy time of 10.00 ms, limit=95 %; they waited 0.40 ms for a processor",
                ValidityRule.violation(new GpuTimes(10_000_000, 9_490_000, 0), 400_000));
    }
}
