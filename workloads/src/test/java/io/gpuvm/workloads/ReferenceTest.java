package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of reference computations on the CPU that are separate functions.
class ReferenceTest {
    @Test
    void givenMatrix_whenDecomposed_thenProductOfFactorsIsMatrix() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int n = 21;
        float[] matrix = new float[n * n];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = random.nextFloat(-1, 1) + (i % (n + 1) == 0 ? n : 0);
        }

        float[] lu = LuDecomposition.decompose(matrix.clone(), n);

        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                double sum = row <= column ? lu[row * n + column] : 0;
                for (int k = 0; k < row && k <= column; k++) {
                    sum += (double) lu[row * n + k] * lu[k * n + column];
                }
                assertEquals(matrix[row * n + column], sum, 1e-4, "seed=" + seed);
            }
        }
    }

    @Test
    void givenSimilarSequences_whenAligned_thenSimilaritiesAreAdded() {
        int[] similarity = {
            5, -9, -9, //
            -9, 6, -9, //
            -9, -9, 7
        };

        assertArrayEquals(
                new int[] {
                    0, -10, -20, -30, //
                    -10, 5, -5, -15, //
                    -20, -5, 11, 1, //
                    -30, -15, 1, 18
                },
                NeedlemanWunsch.scores(similarity, 3));
    }

    @Test
    void givenDissimilarSequences_whenAligned_thenNoSymbolsAreMatched() {
        int[] similarity = {-21, -21, -21, -21};

        int[] scores = NeedlemanWunsch.scores(similarity, 2);

        assertEquals(-4 * NeedlemanWunsch.PENALTY, scores[scores.length - 1]);
    }
}
