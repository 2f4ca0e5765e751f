package io.gpuvm.softgpu.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingEntriesTest {
    private static final int PAGES = 8;

    private final PendingEntries entries = new PendingEntries(PAGES);

    private List<Integer> order() {
        List<Integer> pages = new ArrayList<>();
        for (int page = entries.first(); page != PendingEntries.NONE; page = entries.after(page)) {
            pages.add(page);
        }
        return pages;
    }

    @Test
    void givenEntries_whenSetAgain_thenOrderIsByLastChange() {
        entries.set(3, 30);
        entries.set(1, 10);
        entries.set(5, 50);
        assertEquals(List.of(3, 1, 5), order());

        entries.set(3, 31);
        entries.set(5, 51);
        entries.set(5, 52);

        assertEquals(List.of(1, 3, 5), order());
        assertEquals(31, entries.wanted(3));
        assertEquals(52, entries.wanted(5));
        assertEquals(PendingEntries.NONE, entries.wanted(0));
    }

    @Test
    void givenEntries_whenSettled_thenNoEntryIsPendingAndTargetsAreKept() {
        entries.set(3, 30);
        entries.set(1, 10);

        entries.settle();

        assertEquals(List.of(), order());
        assertEquals(30, entries.wanted(3));
        entries.set(1, 11);
        assertEquals(List.of(1), order());
    }

    @Test
    void givenEntries_whenForgotten_thenNoEntryIsPendingOrWanted() {
        entries.set(3, 30);
        entries.settle();
        entries.set(1, 10);

        entries.forget();

        assertEquals(List.of(), order());
        assertEquals(PendingEntries.NONE, entries.wanted(1));
        assertEquals(PendingEntries.NONE, entries.wanted(3));
    }

    @Test
    void givenRandomEntries_whenComparedWithLinkedMap_thenOrderIsEqual() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Integer, Integer> model = new LinkedHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(30) == 0) {
                entries.settle();
                model.clear();
            }
            int page = random.nextInt(PAGES);
            entries.set(page, i);
            model.remove(page);
            model.put(page, i);
            assertEquals(List.copyOf(model.keySet()), order(), "seed=" + seed);
            assertEquals(i, entries.wanted(page));
        }
    }
}
