package io.gpuvm.shadow;

import static io.gpuvm.shadow.ShadowCounter.BYTES_COMPARED;
import static io.gpuvm.shadow.ShadowCounter.ENTRIES_READ;
import static io.gpuvm.shadow.ShadowCounter.ENTRIES_WRITTEN;
import static io.gpuvm.shadow.ShadowCounter.FLUSHES;
import static io.gpuvm.shadow.ShadowCounter.HARDWARE_FLUSHES;
import static io.gpuvm.shadow.ShadowCounter.NANOSECONDS;
import static io.gpuvm.shadow.ShadowCounter.SHADOWINGS;
import static io.gpuvm.shadow.ShadowCounter.TABLES_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the counts of each strategy for the same actions of a guest, which opens an address
/// space of one page and activates a channel, maps a second page, flushes twice, and activates the
/// channel twice.
class ShadowCountersTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final long PAGE = TestGuest.PAGE;
    private static final long DATA = 512 << 10;
    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;

    /// Number of entries of the directory and of both tables of the only span in use.
    private static final long ALL_ENTRIES =
            GEOMETRY.directoryEntries()
                    + GEOMETRY.tableEntries(PageSize.SMALL_4K)
                    + GEOMETRY.tableEntries(PageSize.BIG_128K);

    /// Time by which [TestGuest]'s clock advances at each read.
    private static final long TICK_NS = 10;

    private final TestGuest guest = new TestGuest();
    private final TableBuilder tables = new TableBuilder(guest);

    @AfterEach
    void close() {
        guest.close();
    }

    private TestGuest.Shadow live(ShadowStrategy strategy) {
        TestGuest.Shadow shadow = guest.shadow(strategy);
        tables.tables();
        tables.small(0, PageTableEntry.of(VRAM, DATA));
        ShadowSpace space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
        prepare(shadow, space);
        tables.small(PAGE, PageTableEntry.of(VRAM, DATA));
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        prepare(shadow, space);
        prepare(shadow, space);
        assertEquals(2, shadow.count(FLUSHES));
        assertEquals(2, shadow.count(HARDWARE_FLUSHES));
        return shadow;
    }

    private static void prepare(TestGuest.Shadow shadow, ShadowSpace space) {
        if (shadow.spaces.prepare(space)) {
            shadow.spaces.forEachToFlush(_ -> {});
        }
    }

    @Test
    void givenNaiveStrategy_whenGuestFlushesTwice_thenEachFlushReadsAllTables() {
        TestGuest.Shadow shadow = live(ShadowStrategy.NAIVE);
        assertShadowings(3, shadow);
        assertEquals(3 * 3, shadow.count(TABLES_READ));
        assertEquals(3 * ALL_ENTRIES, shadow.count(ENTRIES_READ));
        assertEquals(0, shadow.count(BYTES_COMPARED));
    }

    @Test
    void givenLazyStrategy_whenGuestFlushesTwice_thenOnlyNextActivationReadsAllTables() {
        TestGuest.Shadow shadow = live(ShadowStrategy.LAZY);
        assertShadowings(2, shadow);
        assertEquals(2 * 3, shadow.count(TABLES_READ));
        assertEquals(2 * ALL_ENTRIES, shadow.count(ENTRIES_READ));
        assertEquals(0, shadow.count(BYTES_COMPARED));
    }

    @Test
    void givenIncrementalStrategy_whenEntryChanges_thenNonBlankPagesAndChangedEntryAreRead() {
        TestGuest.Shadow shadow = live(ShadowStrategy.INCREMENTAL);
        long notBlank = 2 * GuestReader.PAGE_WORDS;
        assertShadowings(2, shadow);
        assertEquals(3 + 1, shadow.count(TABLES_READ));
        assertEquals(notBlank + 1, shadow.count(ENTRIES_READ));
        assertEquals((ALL_ENTRIES - notBlank) * Long.BYTES, shadow.count(BYTES_COMPARED));
    }

    /// Asserts the number and time of the shadowings, and three written entries: a directory entry
    /// and two pages.
    private static void assertShadowings(long expected, TestGuest.Shadow shadow) {
        assertEquals(expected, shadow.count(SHADOWINGS));
        assertEquals(expected * TICK_NS, shadow.count(NANOSECONDS));
        assertEquals(3, shadow.count(ENTRIES_WRITTEN));
    }

    @Test
    void givenSpace_whenReleased_thenTimeIsCountedWithoutShadowing() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.NAIVE);
        ShadowSpace space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
        shadow.spaces.release(space);
        assertEquals(1, shadow.count(SHADOWINGS));
        assertEquals(2 * TICK_NS, shadow.count(NANOSECONDS));
    }

    @Test
    void givenReplacedTable_whenGuestFlushes_thenTableAndDirectoryEntryAreRead() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        shadow.acquire(VRAM, TableBuilder.DIRECTORY);
        long tablesBefore = shadow.count(TABLES_READ);
        long entriesBefore = shadow.count(ENTRIES_READ);
        tables.directory(0, PageDirectoryEntry.withBigTable(0, VRAM, TableBuilder.SMALL_TABLE));
        shadow.flushAll();
        assertEquals(tablesBefore + 2, shadow.count(TABLES_READ));
        assertEquals(entriesBefore + 1, shadow.count(ENTRIES_READ));
    }

    @Test
    void givenAllCounters_whenListed_thenKeysAreUnique() {
        Set<String> keys = new HashSet<>();
        for (ShadowCounter counter : ShadowCounter.values()) {
            keys.add(counter.key());
        }
        assertEquals(ShadowCounter.values().length, keys.size());
        assertEquals(
                Arrays.stream(ShadowCounter.values()).map(ShadowCounter::key).toList(),
                List.copyOf(new ShadowCounters().snapshot().keySet()));
    }
}
