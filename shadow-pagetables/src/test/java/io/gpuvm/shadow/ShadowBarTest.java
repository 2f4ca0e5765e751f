package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that the pages of a BAR show the content of its page tables as of the last flush.
class ShadowBarTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE = TestGuest.PAGE;
    private static final long BAR_BYTES = 64 << 20;
    private static final int PAGES = (int) (BAR_BYTES / PAGE);
    private static final long DATA = 512 << 10;
    private static final long INSTANCE = 640 << 10;
    private static final int ROUNDS = 20;
    private static final int FLUSHES = 10;

    /// Number of edits between two flushes.
    private static final int EDITS = 6;

    private final TestGuest guest = new TestGuest();
    private final TableBuilder tables = new TableBuilder(guest);
    private final long[] shown = new long[PAGES];
    private int changes;

    @AfterEach
    void close() {
        guest.close();
    }

    private ShadowBar bar(TestGuest.Shadow shadow, long barBytes) {
        return new ShadowBar(
                shadow.spaces,
                barBytes,
                (page, hostEntry) -> {
                    assertNotEquals(hostEntry, shown[page]);
                    shown[page] = hostEntry;
                    changes++;
                });
    }

    private void instance(MemoryTarget target, long directory, long limit) {
        new InstanceBlock().wrap(guest.vram, INSTANCE).directory(target, directory).limit(limit);
    }

    /// Returns a BAR bound to the directory of [TableBuilder].
    private ShadowBar bound(TestGuest.Shadow shadow) {
        tables.tables();
        instance(VRAM, TableBuilder.DIRECTORY, BAR_BYTES - 1);
        ShadowBar bar = bar(shadow, BAR_BYTES);
        bar.bind(VRAM, INSTANCE);
        return bar;
    }

    private static long host(long guestVram) {
        return PageTableEntry.of(VRAM, TestGuest.VRAM_SHARE.toHost(guestVram));
    }

    private void assertShowsNothing() {
        assertTrue(Arrays.stream(shown).allMatch(entry -> entry == PageTableEntry.NOT_PRESENT));
    }

    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenBar_whenBoundFlushedAndUnbound_thenPagesAreUpdated(ShadowStrategy strategy) {
        TestGuest.Shadow shadow = guest.shadow(strategy);
        tables.small(3 * PAGE, PageTableEntry.of(VRAM, DATA));
        ShadowBar bar = bound(shadow);
        assertEquals(host(DATA), shown[3]);
        assertEquals(1, changes);

        tables.small(4 * PAGE, PageTableEntry.of(VRAM, DATA + PAGE));
        assertEquals(PageTableEntry.NOT_PRESENT, shown[4]);
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertEquals(host(DATA + PAGE), shown[4]);
        assertEquals(2, changes);

        bar.unbind();
        assertShowsNothing();
        shadow.flushAll();
        assertEquals(4, changes);
    }

    @Test
    void givenSmallPageInBigPage_whenAddedAndRemoved_thenBigPageIsShownAgain() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.big(0, PageTableEntry.of(VRAM, DATA));
        bound(shadow);
        assertEquals(32, changes);
        assertEquals(host(DATA + 5 * PAGE), shown[5]);
        tables.small(5 * PAGE, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        assertEquals(host(DATA), shown[5]);
        tables.small(5 * PAGE, PageTableEntry.NOT_PRESENT);
        shadow.flushAll();
        assertEquals(host(DATA + 5 * PAGE), shown[5]);
        assertEquals(34, changes);
    }

    @Test
    void givenLimitInBigPage_whenBound_thenNoPageBeyondLimitIsShown() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.big(0, PageTableEntry.of(VRAM, DATA));
        instance(VRAM, TableBuilder.DIRECTORY, 3 * PAGE);
        bar(shadow, BAR_BYTES).bind(VRAM, INSTANCE);
        assertEquals(host(DATA + 3 * PAGE), shown[3]);
        assertEquals(4, changes);
    }

    @Test
    void givenIncrementalStrategy_whenEntryChanges_thenOneEntryIsReadAndHardwareIsNotFlushed() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        bound(shadow);
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        long written = shadow.count(ShadowCounter.ENTRIES_WRITTEN);
        tables.small(0, PageTableEntry.of(VRAM, DATA));
        assertEquals(false, shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertEquals(read + 1, shadow.count(ShadowCounter.ENTRIES_READ));
        assertEquals(written + 1, shadow.count(ShadowCounter.ENTRIES_WRITTEN));
        assertEquals(0, shadow.arena.usedBytes());
    }

    @Test
    void givenTablesInSystemMemory_whenChanged_thenFlushOfDirectoryFindsChange() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        long table = TestGuest.RAM_START;
        tables.directory(0, PageDirectoryEntry.withSmallTable(0, SYSTEM, table));
        instance(VRAM, TableBuilder.DIRECTORY, BAR_BYTES - 1);
        bar(shadow, BAR_BYTES).bind(VRAM, INSTANCE);
        guest.word(SYSTEM, table, PageTableEntry.of(SYSTEM, TestGuest.RAM_START));
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        long bus = TestGuest.IOVA_SHARE.toBus(TestGuest.RAM_START);
        assertEquals(PageTableEntry.of(SYSTEM, bus), shown[0]);
    }

    /// The BAR shows its own tables, so its entries expose and conceal these tables.
    @Test
    void givenBarThatShowsOwnTables_whenTablesChangeWithoutTraps_thenBarIsUpdated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.small(0, PageTableEntry.of(VRAM, TableBuilder.SMALL_TABLE));
        instance(VRAM, TableBuilder.DIRECTORY, BAR_BYTES - 1);
        ShadowBar bar =
                new ShadowBar(
                        shadow.spaces,
                        BAR_BYTES,
                        (page, hostEntry) -> {
                            conceal(shown[page]);
                            shown[page] = hostEntry;
                            if (PageTableEntry.isPresent(hostEntry)) {
                                guest.expose(guestPage(hostEntry));
                            }
                        });
        bar.bind(VRAM, INSTANCE);
        assertTrue(guest.isExposed(TableBuilder.SMALL_TABLE));
        tables.small(PAGE, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        assertEquals(host(DATA), shown[1]);
        assertTrue(guest.isExposed(DATA));
        tables.small(0, PageTableEntry.NOT_PRESENT);
        shadow.flushAll();
        tables.small(PAGE, PageTableEntry.NOT_PRESENT);
        shadow.flushAll();
        assertShowsNothing();
        bar.unbind();
    }

    private void conceal(long hostEntry) {
        if (PageTableEntry.isPresent(hostEntry)) {
            guest.conceal(guestPage(hostEntry));
        }
    }

    private static long guestPage(long hostEntry) {
        return TestGuest.VRAM_SHARE.toGuest(PageTableEntry.physicalAddress(hostEntry));
    }

    @Test
    void givenPointersOutsideShares_whenBarIsBound_thenNoPageIsShown() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.small(0, PageTableEntry.of(VRAM, DATA));
        ShadowBar bar = bar(shadow, BAR_BYTES);
        bar.bind(null, INSTANCE);
        bar.bind(VRAM, TestGuest.VRAM_BYTES);
        bar.bind(SYSTEM, 0);
        instance(VRAM, TestGuest.VRAM_BYTES, BAR_BYTES - 1);
        bar.bind(VRAM, INSTANCE);
        instance(SYSTEM, TestGuest.IOVA_SHARE.bytes(), BAR_BYTES - 1);
        bar.bind(VRAM, INSTANCE);
        shadow.flushAll();
        assertEquals(0, changes);
    }

    /// Uses random tables, limits and lengths. The tables change with and without traps, because
    /// pages are exposed and concealed.
    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenRandomTables_whenFlushed_thenEachPageEqualsWalk(ShadowStrategy strategy) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TestGuest.Shadow shadow = guest.shadow(strategy);
        int present = 0;
        // Runs until enough pages have been shown, nearly always within 20 rounds.
        for (int round = 0; round < ROUNDS || present <= ROUNDS; round++) {
            long barBytes = BAR_BYTES >> random.nextInt(8);
            Arrays.fill(shown, 0);
            present += new Life(random, seed, shadow, bar(shadow, barBytes), barBytes).run();
            guest.clear();
            assertTrue(round < 10 * ROUNDS, "seed=%d pages=%d".formatted(seed, present));
        }
    }

    /// Lifetime of a BAR from binding to unbinding.
    private final class Life {
        private final Random random;
        private final long seed;
        private final TestGuest.Shadow shadow;
        private final ShadowBar bar;
        private final long barBytes;
        private boolean of64KiB;

        Life(Random random, long seed, TestGuest.Shadow shadow, ShadowBar bar, long barBytes) {
            this.random = random;
            this.seed = seed;
            this.shadow = shadow;
            this.bar = bar;
            this.barBytes = barBytes;
        }

        int run() {
            RandomTables edits = new RandomTables(random, guest);
            MemoryTarget target = edits.directoryTarget();
            long directory = edits.page(target);
            long limit = random.nextBoolean() ? -1L : random.nextLong(2 * barBytes);
            int present = 0;
            edits.populate(target, directory, 0);
            // The instance block is written last, because tables may have been written to its page.
            instance(target, directory, limit);
            bar.bind(VRAM, INSTANCE);
            for (int flush = 0; flush < FLUSHES; flush++) {
                for (int edit = 0; edit < EDITS; edit++) {
                    edits.edit(target, directory, 0);
                    guest.move(random.nextLong(TestGuest.VRAM_BYTES) & -PAGE);
                }
                if (random.nextInt(4) == 0) {
                    of64KiB = !of64KiB;
                    guest.mmu.bigPagesOf64KiB(of64KiB);
                    shadow.spaces.geometryChanged();
                }
                shadow.flushAll();
                present += compare(target, directory, limit);
            }
            bar.unbind();
            assertShowsNothing();
            guest.mmu.bigPagesOf64KiB(false);
            shadow.spaces.geometryChanged();
            return present;
        }

        private int compare(MemoryTarget target, long directory, long limit) {
            NaiveWalk model = new NaiveWalk(guest, of64KiB, target, directory, new WalkCoverage());
            int present = 0;
            for (int page = 0; page < barBytes / PAGE; page++) {
                boolean reachable = Long.compareUnsigned(page * PAGE, limit) <= 0;
                long expected = reachable ? model.walk(page * PAGE) : 0;
                int at = page;
                assertEquals(expected, shown[page], () -> "seed=%d page=%d".formatted(seed, at));
                present += expected == 0 ? 0 : 1;
            }
            return present;
        }
    }

    @Test
    void givenBarOfTwoSpans_whenBound_thenBothDirectoryEntriesAreUsed() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        guest.mmu.bigPagesOf64KiB(true);
        shadow.spaces.geometryChanged();
        long span = TableGeometry.BIG_PAGES_64K.spanBytes();
        long[] last = new long[1];
        tables.tables();
        tables.directory(1, guest.word(VRAM, TableBuilder.DIRECTORY));
        tables.small(PAGE, PageTableEntry.of(VRAM, DATA));
        instance(VRAM, TableBuilder.DIRECTORY, -1);
        ShadowBar bar = new ShadowBar(shadow.spaces, 2 * span, (page, _) -> last[0] = page);
        bar.bind(VRAM, INSTANCE);
        assertEquals(span / PAGE + 1, last[0]);
    }
}
