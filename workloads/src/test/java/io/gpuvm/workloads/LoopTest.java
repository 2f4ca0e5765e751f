package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LoopTest {
    @Test
    void givenSteps_whenCombined_thenResultEqualsSingleSteps() {
        int first = -7;
        for (int steps : new int[] {1, 2, 3, 64, 1000, 12_345}) {
            int[] expected = Loop.expected(steps, first);
            for (int thread : new int[] {0, 1, 31, Loop.THREADS - 1}) {
                int x = first + thread;
                for (int i = 0; i < steps; i++) {
                    x = Congruence.STEP.apply(x);
                }
                assertEquals(x, expected[thread], "steps=" + steps + ", thread=" + thread);
            }
        }
    }
}
