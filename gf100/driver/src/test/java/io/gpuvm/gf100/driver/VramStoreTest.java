package io.gpuvm.gf100.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.PageSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VramStoreTest {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG = PageSize.BIG_128K.bytes();

    @Test
    void givenSeparateFreeRanges_whenMemoryIsAllocated_thenLongestRangesAreUsed() {
        VramStore store = new VramStore(16 * PAGE);
        List<Extent> all = takeSinglePages(store, 16);
        store.giveBack(all.subList(1, 2));
        store.giveBack(all.subList(4, 7));
        store.giveBack(all.subList(9, 12));

        List<Extent> taken = store.take(6 * PAGE);

        assertEquals(
                List.of(new Extent(4 * PAGE, 3 * PAGE), new Extent(9 * PAGE, 3 * PAGE)), taken);
        assertEquals(PAGE, store.freeBytes());
    }

    @Test
    void givenFreeRangeOfRequestedLength_whenMemoryIsAllocated_thenLongerRangeIsNotUsed() {
        VramStore store = new VramStore(64 * PAGE);
        List<Extent> first = store.take(2 * PAGE);
        store.take(PAGE);
        store.giveBack(first);
        assertEquals(List.of(new Extent(0, 2 * PAGE)), store.take(2 * PAGE));
    }

    @Test
    void givenEveryOtherPageFree_whenAllocationNeedsTooManyExtents_thenFreePagesRemainFree() {
        int pages = 1024;
        VramStore store = new VramStore(pages * PAGE);
        List<Extent> all = takeSinglePages(store, pages);
        for (int i = 0; i < pages; i += 2) {
            store.giveBack(all.subList(i, i + 1));
        }

        assertEquals(0, store.take(9 * PAGE, 8));
        assertEquals(pages / 2 * PAGE, store.freeBytes());
        assertEquals(8, store.take(8 * PAGE, 8));
        assertEquals(pages / 2 - 8, store.take((pages / 2 - 8) * PAGE).size());
        assertTrue(store.take(PAGE).isEmpty());
    }

    @Test
    void givenLongAndShortFreeRanges_whenAllocationIsRefused_thenTriedPiecesAreCounted() {
        VramStore store = new VramStore(64 * PAGE);
        List<Extent> all = takeSinglePages(store, 64);
        for (int i = 0; i < 20; i += 2) {
            store.giveBack(all.subList(i, i + 1));
        }
        store.giveBack(all.subList(30, 34));
        store.giveBack(all.subList(40, 44));

        assertEquals(0, store.take(12 * PAGE, 4));
        assertEquals(2, store.triedPieces());
        assertEquals(0, store.take(100 * PAGE, 4));
        assertEquals(0, store.triedPieces());
        assertEquals(18 * PAGE, store.freeBytes());
    }

    @Test
    void givenUnalignedMemory_whenBigPagesAreAllocated_thenExtentsAreWholeBigPages() {
        VramStore store = new VramStore(8 * BIG);
        store.take(PAGE);
        List<Extent> taken = store.take(6 * BIG);
        assertEquals(List.of(new Extent(BIG, 6 * BIG)), taken);
    }

    @Test
    void givenSeparateBigPages_whenBigPagesAreAllocated_thenExtentsAreWholeBigPages() {
        VramStore store = new VramStore(8 * BIG);
        List<Extent> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.addAll(store.take(BIG));
        }
        store.giveBack(all.subList(1, 2));
        store.giveBack(all.subList(5, 6));
        assertEquals(List.of(new Extent(BIG, BIG), new Extent(5 * BIG, BIG)), store.take(2 * BIG));
    }

    @Test
    void givenRandomAllocationsAndReleases_whenExtentsAreAllocated_thenExtentsDoNotOverlap() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int pages = 512;
        VramStore store = new VramStore(pages * PAGE);
        boolean[] used = new boolean[pages];
        List<List<Extent>> taken = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
            if (random.nextBoolean()) {
                long wanted = 1 + random.nextInt(100);
                int most = 1 + random.nextInt(10);
                List<Extent> extents = take(store, wanted * PAGE, most);
                assertTrue(extents.size() <= most, () -> "seed=" + seed);
                long got = extents.stream().mapToLong(Extent::bytes).sum() / PAGE;
                assertTrue(got == 0 || got == wanted, () -> "seed=" + seed);
                extents.forEach(extent -> mark(used, extent, true, seed));
                if (got != 0) {
                    taken.add(extents);
                }
            } else if (!taken.isEmpty()) {
                List<Extent> extents = taken.remove(random.nextInt(taken.size()));
                store.giveBack(extents);
                extents.forEach(extent -> mark(used, extent, false, seed));
            }
        }
        taken.forEach(store::giveBack);
        assertEquals(List.of(new Extent(0, pages * PAGE)), store.take(pages * PAGE));
    }

    private static List<Extent> take(VramStore store, long bytes, int most) {
        return IntStream.range(0, store.take(bytes, most))
                .mapToObj(piece -> new Extent(store.start(piece), store.bytes(piece)))
                .toList();
    }

    private static void mark(boolean[] used, Extent extent, boolean now, long seed) {
        for (long page = extent.start() / PAGE;
                page < (extent.start() + extent.bytes()) / PAGE;
                page++) {
            assertEquals(!now, used[(int) page], () -> "seed=" + seed);
            used[(int) page] = now;
        }
    }

    private static List<Extent> takeSinglePages(VramStore store, int count) {
        List<Extent> extents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            extents.addAll(store.take(PAGE));
        }
        return extents;
    }
}
