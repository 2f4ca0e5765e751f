package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.PageWalk;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/// Tests that an invalid entry of a hostile guest's tables becomes not present, is counted, and is
/// logged in one line.
class RefusalTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE = TestGuest.PAGE;
    private static final long BIG_PAGE = VmArena.GEOMETRY.bigPage().bytes();

    private final TestGuest guest = new TestGuest();
    private final TableBuilder tables = new TableBuilder(guest);
    private final TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Refusals.class);
    private ShadowSpace space;

    @BeforeEach
    void open() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
        tables.tables();
        space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        guest.close();
    }

    private void assertRefused(long gpuVa) {
        long before = shadow.count(ShadowCounter.ENTRIES_REFUSED);
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertFalse(shadow.walk(space).walk(gpuVa));
        assertEquals(before + 1, shadow.count(ShadowCounter.ENTRIES_REFUSED));
        assertEquals(1, log.list.size());
        assertTrue(log.list.getFirst().getFormattedMessage().contains("limit="));
    }

    private void assertPresent(long gpuVa, long host) {
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        PageWalk walk = shadow.walk(space);
        assertTrue(walk.walk(gpuVa));
        assertEquals(host, walk.physicalAddress(gpuVa));
        assertEquals(0, shadow.count(ShadowCounter.ENTRIES_REFUSED));
    }

    @Test
    void givenLastPageOfShare_whenMapped_thenEntryIsPresent() {
        tables.small(0, PageTableEntry.of(VRAM, TestGuest.VRAM_BYTES - PAGE));
        assertPresent(0, TestGuest.VRAM_SHARE.toHost(TestGuest.VRAM_BYTES - PAGE));
    }

    @Test
    void givenVramBeyondShare_whenMapped_thenEntryIsRefused() {
        tables.small(0, PageTableEntry.of(VRAM, TestGuest.VRAM_BYTES));
        assertRefused(0);
    }

    @Test
    void givenHostAddressOfShare_whenMapped_thenEntryIsRefused() {
        tables.small(0, PageTableEntry.of(VRAM, TestGuest.VRAM_SHARE.hostBase()));
        assertRefused(0);
    }

    @Test
    void givenUnalignedBigPage_whenMapped_thenEntryIsRefused() {
        tables.big(0, PageTableEntry.of(VRAM, TestGuest.VRAM_BYTES - BIG_PAGE + PAGE));
        assertRefused(0);
    }

    @Test
    void givenLastBigPageOfShare_whenMapped_thenEntryIsPresent() {
        tables.big(0, PageTableEntry.of(VRAM, TestGuest.VRAM_BYTES - BIG_PAGE));
        assertPresent(0, TestGuest.VRAM_SHARE.toHost(TestGuest.VRAM_BYTES - BIG_PAGE));
    }

    @Test
    void givenHighestAddress_whenMapped_thenEntryIsRefused() {
        tables.small(0, PageTableEntry.of(VRAM, -PAGE));
        assertRefused(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryTarget.class,
            names = {"SYSTEM_COHERENT", "SYSTEM_NONCOHERENT"})
    void givenSystemMemoryBeyondGuestMemory_whenMapped_thenEntryIsRefused(MemoryTarget target) {
        tables.small(0, PageTableEntry.of(target, TestGuest.IOVA_SHARE.bytes()));
        assertRefused(0);
    }

    @Test
    void givenBusAddressOfShadows_whenMapped_thenEntryIsRefused() {
        tables.small(0, PageTableEntry.of(SYSTEM, space.directoryIova()));
        assertRefused(0);
    }

    @Test
    void givenPeerMemory_whenMapped_thenEntryIsRefused() {
        tables.small(0, PageTableEntry.of(MemoryTarget.PEER, PAGE));
        assertRefused(0);
    }

    @Test
    void givenTableBeyondShare_whenAdded_thenEntryIsRefused() {
        tables.directory(1, PageDirectoryEntry.withSmallTable(0, VRAM, TestGuest.VRAM_BYTES));
        assertRefused(VmArena.GEOMETRY.spanBytes());
    }

    @Test
    void givenTableInSystemMemoryBeyondGuestMemory_whenAdded_thenEntryIsRefused() {
        tables.directory(
                1, PageDirectoryEntry.withBigTable(0, SYSTEM, TestGuest.IOVA_SHARE.bytes()));
        assertRefused(VmArena.GEOMETRY.spanBytes());
    }

    @Test
    void givenTableThatCrossesEndOfShare_whenAdded_thenEntriesBeyondShareAreNotPresent() {
        long table = TestGuest.VRAM_BYTES - PAGE;
        tables.directory(1, PageDirectoryEntry.withSmallTable(0, VRAM, table));
        guest.word(VRAM, table, PageTableEntry.of(VRAM, PAGE));
        long span = VmArena.GEOMETRY.spanBytes();
        assertPresent(span, TestGuest.VRAM_SHARE.toHost(PAGE));
        assertFalse(shadow.walk(space).walk(span + GuestReader.PAGE_WORDS * PAGE));
    }

    @Test
    void givenDirectoryAsOwnTable_whenShadowed_thenEntriesAreTranslatedAsPages() {
        long both = PageDirectoryEntry.withBigTable(0, VRAM, TableBuilder.DIRECTORY);
        tables.directory(1, both);
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        long span = VmArena.GEOMETRY.spanBytes();
        // Interpreted as a page's entry, the first entry refers to coherent system memory at the
        // address of the big table.
        long pageOfFirst = guest.word(VRAM, TableBuilder.DIRECTORY);
        assertTrue(PageTableEntry.isPresent(pageOfFirst));
        assertEquals(0, PageTableEntry.physicalAddress(both));
        PageWalk walk = shadow.walk(space);
        assertTrue(walk.walk(span + BIG_PAGE));
        assertEquals(TestGuest.VRAM_SHARE.hostBase(), walk.physicalAddress(span + BIG_PAGE));
        tables.directory(1, both | PageTableEntry.of(VRAM, TestGuest.VRAM_SHARE.hostBase()));
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertFalse(shadow.walk(space).walk(span + BIG_PAGE));
    }

    @Test
    void givenDirectoryOutsideOfMemory_whenAcquired_thenNoPageIsPresent() {
        ShadowSpace outside = shadow.acquire(VRAM, TestGuest.VRAM_BYTES);
        assertFalse(shadow.walk(outside).walk(0));
        shadow.flushAll();
        shadow.spaces.release(outside);
    }

    @Test
    void givenExhaustedQuota_whenTablesAreAdded_thenTablesAreRefusedAndOneLineIsLogged() {
        int entries = (int) (shadow.arena.quotaBytes() / ArenaBlock.SMALL_TABLE.bytes());
        for (int i = 0; i < entries; i++) {
            tables.directory(
                    i, PageDirectoryEntry.withSmallTable(0, VRAM, TableBuilder.SMALL_TABLE));
        }
        tables.small(0, PageTableEntry.of(VRAM, PAGE));
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertTrue(shadow.count(ShadowCounter.TABLES_REFUSED) > 0);
        assertTrue(shadow.arena.usedBytes() <= shadow.arena.quotaBytes());
        assertTrue(shadow.walk(space).walk(0));
        assertFalse(shadow.walk(space).walk((entries - 1) * VmArena.GEOMETRY.spanBytes()));
        assertEquals(1, log.list.size());
    }

    @Test
    void givenManyInvalidEntries_whenShadowed_thenLogHasOneLine() {
        for (int i = 0; i < 100; i++) {
            tables.small(i * PAGE, PageTableEntry.of(VRAM, TestGuest.VRAM_BYTES));
        }
        shadow.flush(VRAM, TableBuilder.DIRECTORY);
        assertEquals(100, shadow.count(ShadowCounter.ENTRIES_REFUSED));
        assertEquals(1, log.list.size());
    }
}
