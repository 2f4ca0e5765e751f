package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Tests of the uses of the data area.
class AreaUsesTest {
    private static final int USES = 100_000;
    private static final int RETAINED = 1000;

    private final AreaUses uses = new AreaUses();

    @Test
    void givenUseThatDoesNotEnd_whenManyLaterUsesEnd_thenLaterUsesAreNotRetained() {
        uses.begin(1);

        for (int call = 2; call < USES; call++) {
            uses.begin(call).end();
        }

        assertTrue(uses.size() < RETAINED, () -> "uses: " + uses.size());
        assertEquals(1, uses.oldest());
    }

    @Test
    void givenUsesThatDoNotEnd_whenManyOtherUsesEnd_thenUnendedUsesRemainInOrder() {
        AreaUses.Use[] open = new AreaUses.Use[RETAINED];
        long call = 0;
        for (int i = 0; i < RETAINED; i++) {
            open[i] = uses.begin(++call);
            for (int other = 0; other < 10; other++) {
                uses.begin(++call).end();
            }
        }

        for (int i = 0; i < RETAINED; i++) {
            assertEquals(1 + 11L * i, uses.oldest());
            open[i].end();
        }
        assertEquals(CudaExecutor.NO_CALL, uses.oldest());
    }
}
