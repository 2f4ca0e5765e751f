package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.VmArena;
import io.gpuvm.pv.host.PageTables.Stop;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests of page tables as the GPU reads them.
class PageTablesTest {
    private static final long ARENA_IOVA = 0x60_0000_0000L;
    private static final long MIB = 1L << 20;
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG = PageSize.BIG_128K.bytes();
    private static final long SPAN = TableGeometry.BIG_PAGES_128K.spanBytes();
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final VmArena arena = new VmArena("gpuvm-test", ARENA_IOVA, 4 * MIB);
    private final RetiredTables retired = new RetiredTables(arena);
    private final PageTables tables = new PageTables(arena);

    @BeforeEach
    void open() {
        assertTrue(tables.open(retired));
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givenAlignedMemory_whenMapped_thenBigPagesAreUsedWherePossible() {
        long va = BIG - 2 * PAGE;
        assertEquals(2 * BIG, map(va, 2 * BIG, vram(va), PageChoice.AUTO));

        assertShows(va, 2 * BIG, va);
        assertEquals(2 + 1 + 30, tables.present());
        assertEquals(PageSize.BIG_128K, sizeAt(BIG));
        assertEquals(PageSize.SMALL_4K, sizeAt(va));
        assertEquals(PageSize.SMALL_4K, sizeAt(2 * BIG));
    }

    @Test
    void givenDifferentlyAlignedMemory_whenMapped_thenPagesAreSmall() {
        map(BIG, BIG, vram(PAGE), PageChoice.AUTO);
        assertShows(BIG, BIG, PAGE);
        assertEquals(32, tables.present());
    }

    @Test
    void givenChoiceOfSmallPages_whenMapped_thenPagesAreSmall() {
        map(0, BIG, vram(0), PageChoice.SMALL);
        assertEquals(PageSize.SMALL_4K, sizeAt(0));
    }

    @Test
    void givenMoreThanOneSpan_whenMapped_thenWholeRangeIsMapped() {
        long va = 3 * SPAN - BIG;
        assertEquals(2 * BIG, map(va, 2 * BIG, vram(0), PageChoice.BIG));
        assertShows(va, 2 * BIG, 0);
    }

    @Test
    void givenLastPage_whenMapped_thenPageIsPresent() {
        long va = TableGeometry.VA_MASK + 1 - PAGE;
        assertEquals(PAGE, map(va, PAGE, vram(MIB), PageChoice.AUTO));
        assertShows(va, PAGE, MIB);
    }

    @Test
    void givenLimit_whenMapped_thenRemainderCanBeMappedLater() {
        map(0, PAGE, vram(0), PageChoice.SMALL);
        assertEquals(5 * PAGE, tables.map(PAGE, 9 * PAGE, vram(PAGE), PageChoice.SMALL, 5));
        assertEquals(Stop.NONE, tables.stop());
        assertEquals(4 * PAGE, tables.map(6 * PAGE, 4 * PAGE, vram(6 * PAGE), PageChoice.SMALL, 5));
        assertShows(0, 10 * PAGE, 0);
    }

    @Test
    void givenMappedPage_whenMappedAgain_thenPageIsUnchangedAndEarlierPagesAreMapped() {
        map(4 * PAGE, PAGE, vram(MIB), PageChoice.AUTO);

        assertEquals(4 * PAGE, map(0, 16 * PAGE, vram(0), PageChoice.AUTO));

        assertEquals(Stop.MAPPED, tables.stop());
        assertShows(0, 4 * PAGE, 0);
        assertShows(4 * PAGE, PAGE, MIB);
        assertNull(entryAt(5 * PAGE));
    }

    @Test
    void givenMappedSmallPage_whenOverlappingBigPageIsMapped_thenMappingIsRefused() {
        map(BIG + 31 * PAGE, PAGE, vram(MIB), PageChoice.AUTO);
        assertEquals(BIG, map(0, 2 * BIG, vram(0), PageChoice.AUTO));
        assertEquals(Stop.MAPPED, tables.stop());
        assertShows(BIG + 31 * PAGE, PAGE, MIB);
    }

    @Test
    void givenMappedBigPage_whenOverlappingSmallPagesAreMapped_thenMappingIsRefused() {
        map(BIG, BIG, vram(0), PageChoice.BIG);
        assertEquals(PAGE, map(BIG - PAGE, 3 * PAGE, vram(PAGE), PageChoice.SMALL));
        assertEquals(Stop.MAPPED, tables.stop());
    }

    @Test
    void givenNoRoomForTables_whenMapped_thenPartOfRangeIsMapped() {
        long spans = 0;
        while (map(spans * SPAN, PAGE, vram(0), PageChoice.SMALL) > 0) {
            spans++;
        }
        assertEquals(Stop.NO_MEMORY, tables.stop());
        assertEquals(15, spans);

        tables.close();
        assertEquals(0, arena.usedBytes());
    }

    @Test
    void givenPages_whenPartIsUnmapped_thenRemainderStaysMapped() {
        map(0, 64 * PAGE, vram(0), PageChoice.SMALL);
        assertEquals(3 * PAGE, tables.unmap(2 * PAGE, 3 * PAGE, NO_LIMIT, NO_LIMIT));
        assertShows(0, 2 * PAGE, 0);
        assertNull(entryAt(2 * PAGE));
        assertNull(entryAt(4 * PAGE));
        assertShows(5 * PAGE, 59 * PAGE, 5 * PAGE);
        assertEquals(61, tables.present());
    }

    @Test
    void givenBigPage_whenPartIsUnmapped_thenRemainderStaysMappedAsSmallPages() {
        map(0, 3 * BIG, PageTableEntry.readOnly(vram(0)), PageChoice.BIG);

        assertEquals(2 * PAGE, tables.unmap(BIG + PAGE, 2 * PAGE, NO_LIMIT, NO_LIMIT));

        assertShows(0, BIG + PAGE, 0);
        assertNull(entryAt(BIG + PAGE));
        assertNull(entryAt(BIG + 2 * PAGE));
        assertShows(BIG + 3 * PAGE, 2 * BIG - 3 * PAGE, BIG + 3 * PAGE);
        assertEquals(2 + 30, tables.present());
        assertEquals(PageTableEntry.readOnly(vram(BIG)), (long) entryAt(BIG));
    }

    @Test
    void givenNoRoomForMorePages_whenPartOfBigPageIsUnmapped_thenBigPageIsUnchanged() {
        map(0, 2 * BIG, vram(0), PageChoice.BIG);

        assertEquals(0, tables.unmap(0, PAGE, NO_LIMIT, 30));
        assertEquals(Stop.TOO_MANY, tables.stop());
        assertEquals(2, tables.present());
        assertEquals(PageSize.BIG_128K, sizeAt(0));

        assertEquals(BIG + PAGE, tables.unmap(0, BIG + PAGE, NO_LIMIT, 30));
        assertEquals(31, tables.present());
    }

    @Test
    void givenEmptyTables_whenLimitIsExceeded_thenTablesLeaveDirectory() {
        for (int span = 0; span < 5; span++) {
            map(span * SPAN, BIG, vram(0), PageChoice.BIG);
            map(span * SPAN + BIG, PAGE, vram(0), PageChoice.SMALL);
        }
        long used = arena.usedBytes();
        assertEquals(4 * SPAN, tables.unmap(0, 4 * SPAN, NO_LIMIT, NO_LIMIT));

        assertEquals(used, arena.usedBytes(), "the GPU may still read the tables");
        int named = 0;
        for (int span = 0; span < 5; span++) {
            long entry = word(tables.directoryIova() + span * PageDirectoryEntry.BYTES);
            named += PageDirectoryEntry.smallTarget(entry) == null ? 0 : 1;
            named += PageDirectoryEntry.bigTarget(entry) == null ? 0 : 1;
        }
        assertEquals(2 + TableDirectory.KEPT_EMPTY, named);
        assertShows(4 * SPAN, BIG, 0);
        assertShows(4 * SPAN + BIG, PAGE, 0);

        retired.close();
        assertTrue(arena.usedBytes() < used);
        tables.close();
        assertEquals(0, arena.usedBytes());
    }

    @Test
    void givenEmptyTable_whenMappingIsRefused_thenTableIsKept() {
        map(0, BIG, vram(0), PageChoice.BIG);
        for (int i = 0; i < 3; i++) {
            map(0, PAGE, vram(0), PageChoice.SMALL);
            assertEquals(Stop.MAPPED, tables.stop());
        }
        tables.close();
        assertEquals(0, arena.usedBytes());
    }

    @Test
    void givenClosedTables_whenOpenedAgain_thenTablesAreEmpty() {
        map(0, 3 * BIG + PAGE, vram(0), PageChoice.AUTO);
        tables.close();
        assertTrue(tables.open(retired));
        assertEquals(0, tables.present());
        assertNull(entryAt(0));
        assertEquals(PAGE, map(0, PAGE, vram(PAGE), PageChoice.AUTO));
        assertShows(0, PAGE, PAGE);
    }

    @Test
    void givenEmptySpace_whenWholeSpaceIsUnmapped_thenEachSpanCostsOneEntry() {
        long all = TableGeometry.VA_MASK + 1;
        assertEquals(all, tables.unmap(0, all, NO_LIMIT, NO_LIMIT));
        assertEquals(TableGeometry.BIG_PAGES_128K.directoryEntries(), tables.work());
    }

    @Test
    void givenRandomMappings_whenApplied_thenMappedPagesMatchModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Long, Long> wanted = new HashMap<>();
        long window = 8 * BIG;
        long base = SPAN - 4 * BIG;
        for (int step = 0; step < 3000; step++) {
            long va = base + random.nextLong(window / PAGE) * PAGE;
            long bytes = Math.min(base + window - va, (1 + random.nextLong(100)) * PAGE);
            int limit = 1 + random.nextInt(3000);
            if (random.nextInt(3) > 0) {
                long physical = random.nextBoolean() ? va : random.nextLong(1000) * PAGE;
                PageChoice choice = random.nextBoolean() ? PageChoice.AUTO : PageChoice.SMALL;
                long done = tables.map(va, bytes, vram(physical), choice, limit);
                for (long at = 0; at < done; at += PAGE) {
                    assertNull(wanted.put(va + at, vram(physical + at)), "seed=" + seed);
                }
                if (tables.stop() == Stop.MAPPED) {
                    boolean near = false;
                    for (long at = va + done; at < va + done + BIG; at += PAGE) {
                        near |= wanted.containsKey(at);
                    }
                    assertEquals(true, near, "seed=" + seed);
                }
            } else {
                long done = tables.unmap(va, bytes, limit, NO_LIMIT);
                for (long at = 0; at < done; at += PAGE) {
                    wanted.remove(va + at);
                }
            }
            // No GPU reads these tables.
            retired.close();
        }
        for (long va = base - BIG; va < base + window + BIG; va += PAGE) {
            assertEquals(
                    wanted.get(va), entryAt(va), "seed=" + seed + " va=" + Long.toHexString(va));
        }
    }

    private long map(long va, long bytes, long entry, PageChoice choice) {
        return tables.map(va, bytes, entry, choice, NO_LIMIT);
    }

    private static long vram(long offset) {
        return PageTableEntry.of(MemoryTarget.VRAM, offset);
    }

    private void assertShows(long va, long bytes, long physical) {
        for (long at = 0; at < bytes; at += PAGE) {
            Long entry = entryAt(va + at);
            assertNotNull(entry, () -> "no entry at " + va);
            assertEquals(physical + at, PageTableEntry.physicalAddress(entry));
        }
    }

    private PageSize sizeAt(long va) {
        return wordAt(PageSize.SMALL_4K, va) != 0 ? PageSize.SMALL_4K : PageSize.BIG_128K;
    }

    /// Returns the page-table entry that the GPU would find for a small page; null if no page is
    /// mapped.
    private Long entryAt(long va) {
        long small = wordAt(PageSize.SMALL_4K, va);
        if (small != 0) {
            return small;
        }
        long big = wordAt(PageSize.BIG_128K, va);
        return big == 0 ? null : big + vram(va % BIG) - vram(0);
    }

    private long wordAt(PageSize size, long va) {
        TableGeometry geometry = TableGeometry.BIG_PAGES_128K;
        long entry = word(tables.directoryIova() + geometry.directoryIndex(va) * 8L);
        boolean small = size == PageSize.SMALL_4K;
        MemoryTarget target =
                small ? PageDirectoryEntry.smallTarget(entry) : PageDirectoryEntry.bigTarget(entry);
        if (target == null) {
            return 0;
        }
        long table =
                small ? PageDirectoryEntry.smallTable(entry) : PageDirectoryEntry.bigTable(entry);
        return word(table + geometry.tableIndex(size, va) * 8L);
    }

    private long word(long iova) {
        return arena.memory().get(ValueLayout.JAVA_LONG, iova - ARENA_IOVA);
    }
}
