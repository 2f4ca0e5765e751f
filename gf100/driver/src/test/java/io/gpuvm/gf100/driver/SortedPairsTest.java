package io.gpuvm.gf100.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SortedPairsTest {
    private static final int VALUES = 40;

    private record Pair(long one, long other) {}

    private final SortedPairs pairs = new SortedPairs();

    @Test
    void givenNoPairs_whenSetIsSearched_thenNoPairIsFound() {
        assertEquals(SortedPairs.NONE, pairs.ceiling(Long.MIN_VALUE, Long.MIN_VALUE));
        assertEquals(SortedPairs.NONE, pairs.lower(Long.MAX_VALUE, Long.MAX_VALUE));
        assertEquals(SortedPairs.NONE, pairs.last());
    }

    @Test
    void givenRandomPairs_whenSetIsSearched_thenResultsMatchSortedSet() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TreeSet<Pair> expected =
                new TreeSet<>(Comparator.comparingLong(Pair::one).thenComparingLong(Pair::other));
        for (int step = 0; step < 20_000; step++) {
            Pair pair = new Pair(random.nextInt(VALUES), random.nextInt(VALUES));
            // The set first grows, then shrinks.
            boolean grows = random.nextInt(20_000) > step;
            if (grows && expected.add(pair)) {
                pairs.add(pair.one, pair.other);
            } else if (!grows && expected.remove(pair)) {
                pairs.remove(pair.one, pair.other);
            }
            Pair asked = new Pair(random.nextInt(VALUES), random.nextInt(VALUES));
            String message = "seed=" + seed + ", step=" + step;
            assertEquals(
                    expected.ceiling(asked), at(pairs.ceiling(asked.one, asked.other)), message);
            assertEquals(expected.lower(asked), at(pairs.lower(asked.one, asked.other)), message);
            assertEquals(expected.isEmpty() ? null : expected.last(), at(pairs.last()), message);
        }
    }

    @Test
    void givenPairsAddedInOrder_whenPairsAreRemovedInOrder_thenStackDoesNotOverflow() {
        int many = 200_000;
        for (int i = 0; i < many; i++) {
            pairs.add(i, -i);
        }
        for (int i = 0; i < many; i++) {
            pairs.remove(i, -i);
        }
        assertEquals(SortedPairs.NONE, pairs.last());
    }

    private Pair at(int pair) {
        return pair == SortedPairs.NONE ? null : new Pair(pairs.one(pair), pairs.other(pair));
    }
}
