package io.gpuvm.softgpu.sm.instruction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Independence of threads: each thread of a warp has the same result as if it ran alone, for any
/// divergence.
class RandomProgramTest {
    private static final long FIRST_SEED = 1_000;
    private static final int PROGRAMS = 60;
    private static final int THREADS = 64;

    @Test
    void givenRandomProgramsAndInputs_whenRunByWarps_thenThreadsAreIndependent() {
        try (Bench bench = new Bench()) {
            for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
                check(bench, seed);
            }
        }
    }

    private static void check(Bench bench, long seed) {
        RandomProgram program = new RandomProgram(seed);
        Random random = new Random(seed);
        int[][] inputs = new int[THREADS][1];
        for (int[] input : inputs) {
            input[0] = random.nextInt();
        }
        String text = program.text();
        int[][] results = bench.run(text, inputs);
        for (int i = 0; i < THREADS; i++) {
            int[] expected = program.results(inputs[i][0]);
            int[] actual = {results[i][0], results[i][1]};
            int thread = i;
            assertArrayEquals(
                    expected, actual, () -> "seed=" + seed + ", thread=" + thread + "\n" + text);
        }
    }
}
