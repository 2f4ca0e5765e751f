package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ThermalModelTest {
    private static final int COLUMNS = 13;
    private static final int ROWS = 9;

    private final ThermalModel model = ThermalModel.of(COLUMNS, ROWS);

    @Test
    void givenChipAtAmbientTemperature_whenTimePasses_thenTemperatureIsUnchanged() {
        float[] temperatures = new float[model.cells()];
        Arrays.fill(temperatures, ThermalModel.AMBIENT);

        assertArrayEquals(temperatures, model.next(temperatures, new float[model.cells()]), 1e-4f);
    }

    @Test
    void givenHotCell_whenTimePasses_thenHeatFlowsToFourNeighbours() {
        float[] before = new float[model.cells()];
        Arrays.fill(before, ThermalModel.AMBIENT);
        int hot = 4 * COLUMNS + 6;
        before[hot] += 20;

        float[] after = model.next(before, new float[model.cells()]);

        assertTrue(after[hot] < before[hot]);
        for (int i = 0; i < before.length; i++) {
            boolean next = i == hot - 1 || i == hot + 1 || i == hot - COLUMNS || i == hot + COLUMNS;
            assertEquals(next, after[i] > ThermalModel.AMBIENT + 0.01f && i != hot, "cell=" + i);
        }
    }

    @Test
    void givenRandomChip_whenTimePasses_thenHeatChangesByPowerAndLossToEnvironment() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        float[] before = new float[model.cells()];
        float[] power = new float[model.cells()];
        double expected = 0;
        for (int i = 0; i < before.length; i++) {
            before[i] = random.nextFloat(320, 380);
            power[i] = random.nextFloat();
            double flow = power[i] + (ThermalModel.AMBIENT - before[i]) * model.rz();
            expected += before[i] + model.step() * flow;
        }

        double after = 0;
        for (float temperature : model.next(before, power)) {
            after += temperature;
        }

        assertEquals(expected, after, 1e-6 * expected, "seed=" + seed);
    }
}
