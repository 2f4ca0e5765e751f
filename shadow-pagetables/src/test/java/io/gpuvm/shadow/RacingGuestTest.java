package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.translation.PageWalk;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Test of a guest whose second processor continuously writes exposed tables while the first
/// processor flushes. After the writes have ended, another flush makes the shadow correct.
class RacingGuestTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;
    private static final long DATA = 512 << 10;
    private static final int ROUNDS = 10;

    /// Number of concurrent writes required in a round.
    private static final int WRITES = 300_000;

    private static final int SPANS = 4;

    /// Number of small pages at the start of a span that change continuously. The number is small,
    /// so that a page changes again during the flush that reads it.
    private static final int PAGES = 32;

    /// Number of big pages at the same addresses.
    private static final int BIG_PAGES =
            (int) (PAGES * PageSize.SMALL_4K.bytes() / GEOMETRY.bigPage().bytes());

    private static final long DEADLINE_MS = TimeUnit.SECONDS.toMillis(30);

    private volatile boolean stopped;
    private volatile int written;
    private int present;

    @Test
    void givenContinuouslyChangingTables_whenChangesEnd_thenFlushMakesShadowEqualTables()
            throws InterruptedException {
        long seed = System.nanoTime();
        try (TestGuest guest = new TestGuest()) {
            TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
            guest.moveAll(_ -> true);
            ShadowSpace space = shadow.acquire(VRAM, TableBuilder.DIRECTORY);
            for (int round = 0; round < ROUNDS; round++) {
                Random random = new Random(seed + round);
                stopped = false;
                written = 0;
                Thread other = Thread.ofPlatform().start(() -> writeAlong(guest, random));
                while (written < WRITES && other.isAlive()) {
                    shadow.flushAll();
                    shadow.spaces.prepare(space);
                }
                stopped = true;
                other.join(DEADLINE_MS);
                assertTrue(!other.isAlive());
                shadow.flushAll();
                compare(guest, shadow.walk(space), seed);
            }
            shadow.spaces.release(space);
        }
        assertTrue(present > 0);
    }

    private void writeAlong(TestGuest guest, Random random) {
        for (int writes = 1; !stopped; writes++) {
            written = writes;
            if (random.nextInt(64) == 0) {
                long at = TableBuilder.DIRECTORY + random.nextInt(SPANS) * 8L;
                write(guest, at, directoryEntry(random));
            } else {
                write(guest, TableBuilder.SMALL_TABLE + random.nextInt(PAGES) * 8L, entry(random));
                write(guest, TableBuilder.BIG_TABLE + random.nextInt(BIG_PAGES) * 8L, big(random));
            }
        }
    }

    private static void write(TestGuest guest, long guestVram, long word) {
        guest.mmu.memory().write(VRAM, guestVram, Long.BYTES, word);
    }

    private static long entry(Random random) {
        return random.nextInt(3) == 0
                ? PageTableEntry.NOT_PRESENT
                : PageTableEntry.of(VRAM, DATA + random.nextInt(2) * TestGuest.PAGE);
    }

    private static long big(Random random) {
        return random.nextBoolean()
                ? PageTableEntry.NOT_PRESENT
                : PageTableEntry.of(VRAM, random.nextInt(2) * GEOMETRY.bigPage().bytes());
    }

    /// Returns an entry without tables, with both tables, or with the directory as a table.
    private static long directoryEntry(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> PageDirectoryEntry.EMPTY;
            case 1 -> PageDirectoryEntry.withSmallTable(0, VRAM, TableBuilder.DIRECTORY);
            default ->
                    PageDirectoryEntry.withBigTable(
                            PageDirectoryEntry.withSmallTable(0, VRAM, TableBuilder.SMALL_TABLE),
                            VRAM,
                            TableBuilder.BIG_TABLE);
        };
    }

    private void compare(TestGuest guest, PageWalk walk, long seed) {
        NaiveWalk model =
                new NaiveWalk(guest, false, VRAM, TableBuilder.DIRECTORY, new WalkCoverage());
        for (int span = 0; span < SPANS; span++) {
            for (int page = 0; page < PAGES; page++) {
                long gpuVa = span * GEOMETRY.spanBytes() + page * PageSize.SMALL_4K.bytes();
                long expected = model.walk(gpuVa);
                boolean found = walk.walk(gpuVa);
                assertEquals(expected != 0, found, () -> "seed=" + seed);
                if (found) {
                    present++;
                    assertEquals(
                            PageTableEntry.physicalAddress(expected),
                            walk.physicalAddress(gpuVa),
                            () -> "seed=" + seed);
                }
            }
        }
    }
}
