package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpeckleImageTest {
    private static final int SIDE = 64;

    private final long seed = System.nanoTime();
    private final SpeckleImage image = SpeckleImage.random(SIDE, SIDE, seed);

    @Test
    void givenImage_whenDiffused_thenSpeckleFadesAndEdgeStays() {
        Plain brightBefore = plain(image.pixels(), true);
        Plain darkBefore = plain(image.pixels(), false);

        float[] after = image.diffused(20);

        Plain bright = plain(after, true);
        Plain dark = plain(after, false);
        assertTrue(bright.deviation < brightBefore.deviation / 2, () -> bright + ", seed=" + seed);
        assertTrue(dark.deviation < darkBefore.deviation, () -> dark + ", seed=" + seed);
        double contrast = brightBefore.mean - darkBefore.mean;
        assertEquals(contrast, bright.mean - dark.mean, contrast / 10, "seed=" + seed);
    }

    @Test
    void givenNumbers_whenVariationIsComputed_thenVarianceIsDividedBySquaredMean() {
        // 1 and 3: mean 2, variance 1
        assertEquals(0.25, SpeckleImage.speckle(4, 10, 2));
    }

    private record Plain(double mean, double deviation) {}

    /// Returns the figures of the pixels of one area, except those near the edge (the diagonal).
    private static Plain plain(float[] pixels, boolean bright) {
        double sum = 0;
        double squares = 0;
        int n = 0;
        for (int i = 0; i < pixels.length; i++) {
            int right = i % SIDE - i / SIDE;
            if (bright ? right > 8 : right < -8) {
                sum += pixels[i];
                squares += (double) pixels[i] * pixels[i];
                n++;
            }
        }
        double mean = sum / n;
        return new Plain(mean, Math.sqrt(squares / n - mean * mean));
    }
}
