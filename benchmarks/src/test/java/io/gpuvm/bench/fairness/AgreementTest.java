package io.gpuvm.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AgreementTest {
    private static final double EXACT = 1e-9;

    private static Agreement of(double[] device, double[] charged, double... guests) {
        return Agreement.of(new GpuUse(device, charged), guests);
    }

    @Test
    void givenEqualAccounts_whenCompared_thenDifferencesAreZero() {
        Agreement equal = of(new double[] {1, 3}, new double[] {1, 3}, 1, 3);

        assertEquals(0, equal.sharesPct());
        assertEquals(0, equal.secondsPct());
        assertTrue(equal.isGood());
    }

    @Test
    void givenChargesTooHighByConstantFactor_whenCompared_thenOnlySecondsDiffer() {
        Agreement high = of(new double[] {1, 3}, new double[] {1.1, 3.3}, 1, 3);

        assertEquals(0, high.sharesPct(), EXACT);
        assertEquals(7.5, high.secondsPct(), EXACT);
        assertFalse(high.isGood());
    }

    @Test
    void givenGuestSharesUnlikeDeviceShares_whenCompared_thenAgreementFails() {
        Agreement other = of(new double[] {2, 2}, new double[] {2, 2}, 1, 1.1);

        assertEquals(100 * (1.1 / 2.1 - 0.5), other.sharesPct(), EXACT);
        assertFalse(other.isGood());
    }

    @Test
    void givenGuestWithLittleUse_whenAccountsDiffer_thenRelativeDifferenceIsReported() {
        Agreement little = of(new double[] {10, 0.1}, new double[] {10, 0.1}, 10, 0.05);

        assertEquals(100 * (0.1 / 10.1 - 0.05 / 10.05), little.sharesPct(), EXACT);
        assertTrue(little.relativePct() > 45, () -> "relativePct=" + little.relativePct());
    }

    @Test
    void givenChargeWithoutDeviceTime_whenCompared_thenAgreementFails() {
        assertFalse(of(new double[] {1, 0}, new double[] {1, 0.5}, 1, 0).isGood());
    }

    @Test
    void givenTwoSummaries_whenSubtracted_thenUseBetweenSummariesIsReturned() throws IOException {
        GpuUse before = GpuUse.of(new ObjectMapper().readTree(summary(1, 2, 3_000_000_000L)));
        GpuUse after = GpuUse.of(new ObjectMapper().readTree(summary(2, 2.5, 5_000_000_000L)));

        GpuUse used = after.since(before);

        assertEquals(1.5, used.deviceSeconds()[0], EXACT);
        assertEquals(2, used.chargedSeconds()[0], EXACT);
    }

    private static String summary(double graph, double copy, long chargedNs) {
        return """
        {"vms": [{"deviceSeconds": {"graph": %s, "copy0": %s}, "commands": {"gpuTimeNs": %d}}]}
        """
                .formatted(graph, copy, chargedNs);
    }
}
