package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.translation.PageWalk;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of a guest's writes to exposed pages, which are not trapped.
class UnseenWritesTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE = TestGuest.PAGE;
    private static final long VA = 5 * PAGE;
    private static final long DATA = 512 << 10;
    private static final long INSTANCE = 640 << 10;
    private static final long USERD = INSTANCE + PAGE;
    private static final long CONTEXT = 0x12000;
    private static final long QUOTA = 64 << 20;

    private final TestGuest guest = new TestGuest();
    private final TableBuilder tables = new TableBuilder(guest);

    @AfterEach
    void close() {
        guest.close();
    }

    /// Returns an address space of one page, with exposed tables.
    private ShadowSpace open(TestGuest.Shadow shadow) {
        tables.tables();
        tables.small(VA, PageTableEntry.of(VRAM, DATA));
        ShadowSpace space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
        shadow.spaces.prepare(space);
        shadow.spaces.forEachToFlush(_ -> {});
        guest.expose(TableBuilder.DIRECTORY);
        guest.expose(TableBuilder.SMALL_TABLE);
        guest.expose(TableBuilder.BIG_TABLE);
        return space;
    }

    private static void assertShows(
            long guestVram, TestGuest.Shadow shadow, ShadowSpace space, long gpuVa) {
        PageWalk walk = shadow.walk(space);
        assertTrue(walk.walk(gpuVa));
        assertEquals(TestGuest.VRAM_SHARE.toHost(guestVram), walk.physicalAddress(gpuVa));
    }

    private static void assertShowsNothing(TestGuest.Shadow shadow, ShadowSpace space, long gpuVa) {
        assertFalse(shadow.walk(space).walk(gpuVa));
    }

    @Test
    void givenExposedTable_whenOneEntryChanges_thenFlushReadsOnlyOneEntry() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        long compared = shadow.count(ShadowCounter.BYTES_COMPARED);
        tables.small(VA + PAGE, PageTableEntry.of(VRAM, DATA + PAGE));
        assertTrue(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertShows(DATA + PAGE, shadow, space, VA + PAGE);
        assertEquals(read + 1, shadow.count(ShadowCounter.ENTRIES_READ));
        assertEquals(compared + 3 * PAGE, shadow.count(ShadowCounter.BYTES_COMPARED));
        shadow.spaces.forEachToFlush(_ -> {});
        assertFalse(shadow.flush(VRAM, TableBuilder.DIRECTORY));
        assertEquals(read + 1, shadow.count(ShadowCounter.ENTRIES_READ));
    }

    @Test
    void givenExposedDirectory_whenTableIsAdded_thenFlushReadsTable() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        tables.directory(1, guest.word(VRAM, TableBuilder.DIRECTORY));
        shadow.flushAll();
        assertShows(DATA, shadow, space, TableGeometry.BIG_PAGES_128K.spanBytes() + VA);
    }

    /// Cached translations stay valid until the guest flushes.
    @Test
    void givenExposedTable_whenChanged_thenDoorbellComparesNothing() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        long compared = shadow.count(ShadowCounter.BYTES_COMPARED);
        tables.small(VA, PageTableEntry.NOT_PRESENT);
        assertFalse(shadow.spaces.prepare(space));
        assertShows(DATA, shadow, space, VA);
        assertEquals(compared, shadow.count(ShadowCounter.BYTES_COMPARED));
    }

    /// The copy must also include trapped writes; otherwise, the page would appear unchanged after
    /// the revert.
    @Test
    void givenExposedTable_whenTrappedWriteIsRevertedWithoutTrap_thenFlushFindsRevert() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        long before = guest.word(VRAM, TableBuilder.SMALL_TABLE);
        guest.writeTrapped(
                TableBuilder.SMALL_TABLE, Long.BYTES, PageTableEntry.of(VRAM, DATA + PAGE));
        assertTrue(shadow.spaces.prepare(space));
        assertShows(DATA + PAGE, shadow, space, 0);
        guest.word(VRAM, TableBuilder.SMALL_TABLE, before);
        shadow.flushAll();
        assertShowsNothing(shadow, space, 0);
    }

    /// Another processor of the guest changes an entry during the flush: it writes one value before
    /// the pages are compared, another value before users read the differences, and then the first
    /// value again.
    @Test
    void givenEntryThatChangesDuringFlush_whenFlushedAgain_thenShadowIsCurrent() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        long first = PageTableEntry.of(VRAM, DATA + PAGE);
        long other = PageTableEntry.of(VRAM, DATA + 2 * PAGE);
        Iterator<Long> entries = List.of(first, other, other, first).iterator();
        guest.onClock(() -> tables.small(VA, entries.next()));
        shadow.flushAll();
        assertFalse(entries.hasNext());
        guest.onClock(() -> {});
        shadow.flushAll();
        assertShows(DATA + PAGE, shadow, space, VA);
    }

    /// Another processor of the guest writes while users read: one entry points to a table in RAM,
    /// and another entry, whose change has just been found, changes again during the read of that
    /// table.
    @Test
    void givenEntryThatChangesDuringRead_whenChangedBack_thenShadowIsCurrent() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        long first = guest.word(VRAM, TableBuilder.DIRECTORY);
        long inRam = PageDirectoryEntry.withSmallTable(0, SYSTEM, TestGuest.RAM_START);
        tables.directory(1, inRam);
        tables.directory(2, first);
        guest.onRam(() -> tables.directory(2, PageDirectoryEntry.EMPTY));
        shadow.flushAll();
        guest.onRam(() -> {});
        assertEquals(PageDirectoryEntry.EMPTY, guest.word(VRAM, 2L * PageDirectoryEntry.BYTES));
        tables.directory(2, first);
        shadow.flushAll();
        assertShows(DATA, shadow, space, 2 * TableGeometry.BIG_PAGES_128K.spanBytes() + VA);
    }

    @Test
    void givenExposedTable_whenConcealed_thenChangesBeforeAndAfterAreFound() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        tables.small(VA, PageTableEntry.NOT_PRESENT);
        guest.conceal(TableBuilder.SMALL_TABLE);
        tables.small(VA + PAGE, PageTableEntry.of(VRAM, DATA));
        long compared = shadow.count(ShadowCounter.BYTES_COMPARED);
        shadow.flushAll();
        assertShowsNothing(shadow, space, VA);
        assertShows(DATA, shadow, space, VA + PAGE);
        assertEquals(compared + 2 * PAGE, shadow.count(ShadowCounter.BYTES_COMPARED));
    }

    @Test
    void givenTrappedWrite_whenPageIsExposedBeforeFlush_thenTrappedAndUntrappedWriteAreFound() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = open(shadow);
        guest.conceal(TableBuilder.SMALL_TABLE);
        tables.small(VA, PageTableEntry.NOT_PRESENT);
        guest.expose(TableBuilder.SMALL_TABLE);
        tables.small(VA + PAGE, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        assertShowsNothing(shadow, space, VA);
        assertShows(DATA, shadow, space, VA + PAGE);
    }

    @Test
    void givenTableInExposedPage_whenDirectoryIsAcquired_thenCurrentContentIsRead() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace first = open(shadow);
        long other = 768 << 10;
        guest.word(VRAM, other, guest.word(VRAM, TableBuilder.DIRECTORY));
        tables.small(VA, PageTableEntry.of(VRAM, DATA + PAGE));
        ShadowSpace second = shadow.acquire(VRAM, other);
        assertShows(DATA + PAGE, shadow, second, VA);
        shadow.flushAll();
        assertShows(DATA + PAGE, shadow, first, VA);
    }

    @Test
    void givenNoSpaceForCopies_whenTablesChangeWithoutTraps_thenEachFlushFindsChange() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL, QUOTA, PAGE);
        ShadowSpace space = open(shadow);
        tables.small(VA, PageTableEntry.NOT_PRESENT);
        tables.big(0, PageTableEntry.of(VRAM, DATA));
        shadow.flushAll();
        assertShows(DATA + VA, shadow, space, VA);
        tables.directory(0, PageDirectoryEntry.EMPTY);
        shadow.flushAll();
        assertShowsNothing(shadow, space, VA);
    }

    @Test
    void givenNoSpaceForCopy_whenSpaceIsReleased_thenSpaceIsUsed() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL, QUOTA, 2 * PAGE);
        open(shadow);
        shadow.flushAll();
        guest.conceal(TableBuilder.DIRECTORY);
        shadow.flushAll();
        long read = shadow.count(ShadowCounter.ENTRIES_READ);
        shadow.flushAll();
        assertEquals(read, shadow.count(ShadowCounter.ENTRIES_READ));
    }

    /// A guest need not flush after a change to an instance block.
    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenExposedInstanceBlock_whenChanged_thenNextActivationFindsChange(
            ShadowStrategy strategy) {
        TestGuest.Shadow shadow = guest.shadow(strategy);
        open(shadow);
        guest.expose(INSTANCE);
        new Ramfc().wrap(guest.vram, INSTANCE).userd(VRAM, USERD);
        InstanceBlock instance = new InstanceBlock().wrap(guest.vram, INSTANCE);
        instance.directory(VRAM, TableBuilder.DIRECTORY).limit(TableGeometry.VA_MASK);
        ShadowChannel channel =
                assertInstanceOf(
                        ShadowChannel.class, ShadowChannel.bind(shadow.spaces, 1, VRAM, INSTANCE));
        channel.prepare();
        long compared = shadow.count(ShadowCounter.BYTES_COMPARED);
        instance.context(EngineId.GRAPH, CONTEXT | 4);
        channel.prepare();
        InstanceBlock hardware =
                new InstanceBlock().wrap(shadow.at(channel.instanceIova(), PAGE), 0);
        assertEquals(CONTEXT | 4, hardware.context(EngineId.GRAPH));
        // One comparison to find the change, one to read it.
        assertEquals(compared + 2 * PAGE, shadow.count(ShadowCounter.BYTES_COMPARED));
        channel.release();
        assertEquals(0, guestsPages(shadow));
    }

    private static long guestsPages(TestGuest.Shadow shadow) {
        long compared = shadow.count(ShadowCounter.BYTES_COMPARED);
        shadow.spaces.conceal(INSTANCE);
        return shadow.count(ShadowCounter.BYTES_COMPARED) - compared;
    }

    @Test
    void givenPagesBeyondShare_whenExposedAndConcealed_thenCallsHaveNoEffect() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        for (long page : new long[] {TestGuest.VRAM_BYTES, Long.MAX_VALUE, -PAGE}) {
            shadow.spaces.expose(page);
            shadow.spaces.conceal(page);
        }
        assertFalse(shadow.flushAll());
    }
}
