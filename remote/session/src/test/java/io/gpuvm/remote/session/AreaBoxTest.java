package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of parts of a data area.
class AreaBoxTest {
    private static final long DATA_BYTES = 4096;
    private static final int CASES = 100_000;

    private final AreaBox box = new AreaBox();

    @Test
    void givenRowsWithoutGaps_whenSet_thenTheyAreOneRow() {
        box.set(64, 16, 4, 3, 16, 64);

        AreaBox row = new AreaBox();
        row.set(64, 192);
        assertEquals(row, box);
    }

    @Test
    void givenRowsWithGaps_whenSet_thenEachRowHasItsOffset() {
        box.set(64, 8, 2, 2, 16, 100);

        assertEquals(4, box.rows());
        assertEquals(64, box.rowStart(0));
        assertEquals(80, box.rowStart(1));
        assertEquals(164, box.rowStart(2));
        assertEquals(180, box.rowStart(3));
    }

    @Test
    void givenAnyValues_whenWithinDataArea_thenEachRowIs() {
        Random random = new Random(30);
        int within = 0;
        for (int i = 0; i < CASES; i++) {
            box.set(any(random), any(random), any(random), any(random), any(random), any(random));
            if (!box.isWithin(DATA_BYTES)) {
                continue;
            }
            within++;
            for (long row = 0; !box.isEmpty() && row < Math.min(box.rows(), 100); row++) {
                long start = box.rowStart(row);
                assertTrue(start >= 0 && start + box.width() <= DATA_BYTES, box::toString);
            }
        }
        assertTrue(within > CASES / 100, "boxes within the data area: " + within);
    }

    /// Returns mostly small numbers.
    private static long any(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MAX_VALUE - random.nextInt(2);
            case 2 -> 1L << random.nextInt(Long.SIZE);
            default -> random.nextInt(random.nextBoolean() ? 8 : 512);
        };
    }

    @Test
    void givenRow_whenLimited_thenItIsNotLonger() {
        box.set(0, 100);
        box.limit(40);
        assertEquals(40, box.width());

        box.limit(Long.MIN_VALUE);

        assertTrue(box.isEmpty());
    }

    @Test
    void givenBoxThatEndsBeyondDataArea_whenChecked_thenItIsNotWithin() {
        box.set(DATA_BYTES - 8, 9);
        assertFalse(box.isWithin(DATA_BYTES));

        box.set(0, 8, 2, 1, DATA_BYTES - 7, 0);
        assertFalse(box.isWithin(DATA_BYTES));
    }
}
