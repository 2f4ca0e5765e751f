package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.translation.PageWalk;
import io.gpuvm.port.ArenaBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the times at which shadows are updated, and of refusals.
class ShadowSpacesTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE = TestGuest.PAGE;
    private static final long VA = 5 * PAGE;

    /// Address of a page of the guest that contains no table.
    private static final long DATA = 512 << 10;

    private final TestGuest guest = new TestGuest();
    private final TableBuilder tables = new TableBuilder(guest);

    @AfterEach
    void close() {
        guest.close();
    }

    private ShadowSpace open(TestGuest.Shadow shadow) {
        ShadowSpace space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
        shadow.spaces.prepare(space);
        shadow.spaces.forEachToFlush(_ -> {});
        return space;
    }

    private static long lookUp(TestGuest.Shadow shadow, ShadowSpace space, long gpuVa) {
        PageWalk walk = shadow.walk(space);
        return walk.walk(gpuVa) ? walk.physicalAddress(gpuVa) : -1;
    }

    @Test
    void givenSameDirectory_whenAcquiredTwice_thenShadowIsSharedUntilLastRelease() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.NAIVE);
        ShadowSpace first = shadow.acquire(VRAM, 0);
        assertSame(first, shadow.acquire(VRAM, 0));
        assertNotSame(first, shadow.acquire(SYSTEM, TestGuest.RAM_START));
        assertEquals(2 * ArenaBlock.DIRECTORY.bytes(), shadow.arena.usedBytes());
        shadow.spaces.release(first);
        assertSame(first, shadow.acquire(VRAM, 0));
        shadow.spaces.release(first);
        shadow.spaces.release(first);
        assertEquals(ArenaBlock.DIRECTORY.bytes(), shadow.arena.usedBytes());
    }

    @Test
    void givenNaiveStrategy_whenGuestFlushes_thenShadowIsUpdatedAtFlush() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.NAIVE);
        ShadowSpace space = open(shadow);
        tables.tables();
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        assertFalse(shadow.spaces.prepare(space));
        assertEquals(-1, lookUp(shadow, space, VA));
        assertTrue(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, VA));
    }

    @Test
    void givenLazyStrategy_whenGuestFlushes_thenShadowIsUpdatedAtNextActivation() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.LAZY);
        ShadowSpace space = open(shadow);
        tables.tables();
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        assertFalse(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertEquals(-1, lookUp(shadow, space, VA));
        assertTrue(shadow.spaces.prepare(space));
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, VA));
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        shadow.spaces.prepare(space);
        assertEquals(read, shadow.count(ShadowCounter.ENTRIES_READ));
    }

    @Test
    void givenIncrementalStrategy_whenOneEntryChanges_thenOneEntryIsReadAndWritten() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        ShadowSpace space = open(shadow);
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        long written = shadow.count(ShadowCounter.ENTRIES_WRITTEN);
        tables.small(VA + PAGE, PageTableEntry.of(VRAM, DATA + PAGE));
        assertTrue(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA + PAGE), lookUp(shadow, space, VA + PAGE));
        assertEquals(read + 1, shadow.count(ShadowCounter.ENTRIES_READ));
        assertEquals(written + 1, shadow.count(ShadowCounter.ENTRIES_WRITTEN));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, GuestReader.PAGE_WORDS - 1})
    void givenIncrementalStrategy_whenWriteTouchesTwoEntries_thenTwoEntriesAreRead(int entry) {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.small(entry * PAGE, PageTableEntry.of(VRAM, DATA));
        tables.small((entry + 1) * PAGE, PageTableEntry.of(VRAM, DATA));
        ShadowSpace space = open(shadow);
        long address = TableBuilder.SMALL_TABLE + (long) entry * PageTableEntry.BYTES;
        // Writes the upper half of one entry, which stays unchanged, and clears the lower half of
        // the next entry.
        guest.write(VRAM, address + Integer.BYTES, Long.BYTES, 0);
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        shadow.flushAll();
        assertEquals(read + 2, shadow.count(ShadowCounter.ENTRIES_READ));
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, entry * PAGE));
        assertEquals(-1, lookUp(shadow, space, (entry + 1) * PAGE));
    }

    /// The memory after a short directory has arbitrary content.
    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenLimit_whenAcquired_thenMemoryBeyondLimitIsIgnored(ShadowStrategy strategy) {
        TestGuest.Shadow shadow = guest.shadow(strategy);
        tables.tables();
        tables.directory(1, guest.word(VRAM, TableBuilder.DIRECTORY));
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        long second = TableGeometry.BIG_PAGES_128K.spanBytes();
        ShadowSpace space = shadow.spaces.acquire(VRAM, TableBuilder.DIRECTORY, second - 1);
        shadow.spaces.prepare(space);
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, VA));
        assertEquals(-1, lookUp(shadow, space, second + VA));
        tables.directory(1, guest.word(VRAM, TableBuilder.DIRECTORY));
        shadow.flushAll();
        shadow.spaces.prepare(space);
        assertEquals(-1, lookUp(shadow, space, second + VA));

        assertSame(space, shadow.spaces.acquire(VRAM, TableBuilder.DIRECTORY, second));
        shadow.spaces.prepare(space);
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, second + VA));
    }

    @Test
    void givenIncrementalStrategy_whenNothingChanges_thenNoEntryIsReadAndNoFlushIsNeeded() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        ShadowSpace space = open(shadow);
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        assertFalse(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertFalse(shadow.spaces.prepare(space));
        assertEquals(read, shadow.count(ShadowCounter.ENTRIES_READ));
    }

    @Test
    void givenIncrementalStrategy_whenTableIsRemoved_thenPagesAreNoLongerTracked() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        open(shadow);
        tables.directory(0, PageDirectoryEntry.EMPTY);
        shadow.flushAll();
        assertEquals(ArenaBlock.DIRECTORY.bytes(), shadow.arena.usedBytes());
        long shadowings = shadow.count(ShadowCounter.SHADOWINGS);
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        tables.big(VA, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        assertEquals(shadowings, shadow.count(ShadowCounter.SHADOWINGS));
    }

    @Test
    void givenTableOfTwoDirectoryEntries_whenChanged_thenTwoSpansAreUpdated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        tables.tables();
        tables.directory(3, guest.word(VRAM, TableBuilder.DIRECTORY));
        ShadowSpace space = open(shadow);
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        long third = 3 * TableGeometry.BIG_PAGES_128K.spanBytes();
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, VA));
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, third + VA));
    }

    @Test
    void givenSeveralChangedSpaces_whenFlushesAreQueried_thenEachSpaceIsReportedOnce() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace first = open(shadow);
        ShadowSpace second = shadow.acquire(SYSTEM, TestGuest.RAM_START);
        List<Long> flushed = new ArrayList<>();
        shadow.spaces.forEachToFlush(flushed::add);
        assertEquals(List.of(second.directoryIova()), flushed);
        tables.tables();
        assertTrue(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        shadow.spaces.forEachToFlush(flushed::add);
        shadow.spaces.forEachToFlush(flushed::add);
        assertEquals(List.of(second.directoryIova(), first.directoryIova()), flushed);
        assertEquals(3, shadow.count(ShadowCounter.HARDWARE_FLUSHES));
    }

    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenAnotherSizeOfBigPages_whenChosen_thenTablesAreReadWithNewGeometry(
            ShadowStrategy strategy) {
        TestGuest.Shadow shadow = guest.shadow(strategy);
        tables.tables();
        tables.big(0, PageTableEntry.of(VRAM, DATA));
        tables.directory(1, PageDirectoryEntry.withBigTable(0, VRAM, TableBuilder.BIG_TABLE));
        ShadowSpace space = open(shadow);
        long last = 128 << 10;
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA + last - 1), lookUp(shadow, space, last - 1));

        guest.mmu.bigPagesOf64KiB(true);
        shadow.spaces.geometryChanged();
        shadow.spaces.prepare(space);
        assertEquals(-1, lookUp(shadow, space, last - 1));
        long half = TableGeometry.BIG_PAGES_64K.spanBytes();
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, half));

        guest.mmu.bigPagesOf64KiB(false);
        shadow.spaces.geometryChanged();
        shadow.spaces.prepare(space);
        assertEquals(-1, lookUp(shadow, space, half));
    }

    @Test
    void givenTableInSystemMemory_whenWritten_thenFlushFindsChange() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        long table = TestGuest.RAM_START;
        tables.directory(0, PageDirectoryEntry.withSmallTable(0, SYSTEM, table));
        ShadowSpace space = open(shadow);
        guest.word(SYSTEM, table, PageTableEntry.of(SYSTEM, TestGuest.RAM_START));
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertEquals(TestGuest.IOVA_SHARE.toBus(TestGuest.RAM_START), lookUp(shadow, space, 0));
    }

    @Test
    void givenNoSpaceForDirectory_whenAcquired_thenResultIsNull() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.NAIVE, PAGE);
        assertNull(shadow.acquire(VRAM, 0));
        assertEquals(1, shadow.count(ShadowCounter.TABLES_REFUSED));
    }

    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenNoSpaceForTable_whenSpaceIsReleased_thenNextFlushAddsTable(ShadowStrategy strategy) {
        long quota = 2 * ArenaBlock.DIRECTORY.bytes() + ArenaBlock.SMALL_TABLE.bytes();
        TestGuest.Shadow shadow = guest.shadow(strategy, quota);
        long otherDirectory = 768 << 10;
        long entry = PageDirectoryEntry.withSmallTable(0, VRAM, TableBuilder.SMALL_TABLE);
        tables.directory(0, entry);
        guest.word(VRAM, otherDirectory, entry);
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        ShadowSpace other = shadow.acquire(VRAM, otherDirectory);
        shadow.spaces.prepare(other);
        ShadowSpace space = open(shadow);
        assertEquals(-1, lookUp(shadow, space, VA));
        assertTrue(shadow.count(ShadowCounter.TABLES_REFUSED) > 0);
        shadow.spaces.release(other);
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        shadow.spaces.prepare(space);
        assertEquals(TestGuest.VRAM_SHARE.toHost(DATA), lookUp(shadow, space, VA));
    }

    @Test
    void givenBuffers_whenMappedAndFlushed_thenIncrementalReadsAreAtMostFivePercentOfNaiveReads() {
        TestGuest.Shadow naive = guest.shadow(ShadowStrategy.NAIVE);
        TestGuest.Shadow incremental = guest.shadow(ShadowStrategy.INCREMENTAL);
        open(naive);
        ShadowSpace space = open(incremental);
        tables.tables();
        for (int buffer = 0; buffer < 12; buffer++) {
            for (int page = 0; page < 16; page++) {
                long gpuVa = (buffer * 16 + page) * PAGE;
                tables.small(gpuVa, PageTableEntry.of(VRAM, DATA + page * PAGE));
            }
            naive.flush(VRAM, TableBuilder.DIRECTORY);
            incremental.flush(VRAM, TableBuilder.DIRECTORY);
            assertTrue(lookUp(incremental, space, buffer * 16 * PAGE) > 0);
        }
        long all = naive.count(ShadowCounter.ENTRIES_READ);
        long read = incremental.count(ShadowCounter.ENTRIES_READ);
        assertTrue(read * 20 <= all, () -> "naive=%d incremental=%d".formatted(all, read));
    }
}
