package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputLayerTest {
    private static final int HIDDEN = 4;

    @Test
    void givenSums_whenOneSumChanges_thenErrorChangesByDelta() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        float[] weights = new float[HIDDEN + 1];
        for (int j = 0; j < weights.length; j++) {
            weights[j] = random.nextFloat(-1, 1);
        }
        OutputLayer layer = new OutputLayer(weights, random.nextFloat());
        float[] sums = new float[2 * HIDDEN];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = random.nextFloat(-1, 1);
        }

        float[] deltas = layer.deltas(layer.hidden(sums));

        float change = 0.05f;
        for (int i = 0; i < sums.length; i++) {
            float kept = sums[i];
            sums[i] = kept + change;
            double more = error(layer, sums);
            sums[i] = kept - change;
            double less = error(layer, sums);
            sums[i] = kept;
            assertEquals(-(more - less) / (2 * change), deltas[i % HIDDEN], 1e-4, "seed=" + seed);
        }
    }

    private static double error(OutputLayer layer, float[] sums) {
        double lack = layer.target() - layer.output(layer.hidden(sums));
        return lack * lack / 2;
    }
}
