package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.PageWalk;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that, after random edits of a guest's tables and a flush, the incremental strategy yields
/// the same tables as the naive strategy, and that these tables are correct.
class EditSequenceTest {
    private static final int SEQUENCES = 25;
    private static final int LONG_SEQUENCES = 4000;
    private static final int STEPS = 100;

    /// Mean number of steps between flushes with a comparison: 100,000 comparisons in the long
    /// test.
    private static final int FLUSH_EVERY = 4;

    private static final int DIRECTORIES = 2;

    /// Mean number of steps after which a page is exposed or concealed, in the tests that expose
    /// pages.
    private static final int MOVE_EVERY = 4;

    private final WalkCoverage coverage = new WalkCoverage();
    private int present;

    @Test
    void givenRandomEdits_whenFlushed_thenIncrementalShadowEqualsNaiveShadow() {
        run(SEQUENCES, false);
    }

    /// Pages are exposed and concealed between the edits.
    @Test
    void givenTrappedAndUntrappedEdits_whenFlushed_thenIncrementalShadowEqualsNaiveShadow() {
        run(SEQUENCES, true);
    }

    @Test
    @Tag("long")
    void givenManyRandomEdits_whenFlushed_thenIncrementalShadowEqualsNaiveShadow() {
        run(LONG_SEQUENCES, false);
        coverage.assertComplete();
        System.err.println("pages found: " + coverage);
    }

    @Test
    @Tag("long")
    void givenManyTrappedAndUntrappedEdits_whenFlushed_thenIncrementalShadowEqualsNaiveShadow() {
        run(LONG_SEQUENCES, true);
        coverage.assertComplete();
        System.err.println("pages found: " + coverage);
    }

    private void run(int sequences, boolean exposing) {
        // Generators with adjacent seeds begin with similar numbers.
        Random seeds = new Random(System.nanoTime());
        try (TestGuest guest = new TestGuest()) {
            TestGuest.Shadow naive = guest.shadow(ShadowStrategy.NAIVE);
            TestGuest.Shadow incremental = guest.shadow(ShadowStrategy.INCREMENTAL);
            for (int i = 0; i < sequences; i++) {
                new Sequence(guest, naive, incremental, seeds.nextLong(), exposing).run();
                guest.clear();
            }
        }
        assertTrue(present > sequences, "pages found=" + present);
    }

    /// Lifetime of a guest: its directories are shadowed, and its tables are edited and flushed.
    private final class Sequence {
        private final TestGuest guest;
        private final TestGuest.Shadow naive;
        private final TestGuest.Shadow incremental;
        private final long seed;
        private final Random random;
        private final RandomTables tables;
        private final boolean of64KiB;
        private final boolean exposing;
        private final MemoryTarget[] targets = new MemoryTarget[DIRECTORIES];
        private final long[] directories = new long[DIRECTORIES];
        private final ShadowSpace[] naiveSpaces = new ShadowSpace[DIRECTORIES];
        private final ShadowSpace[] spaces = new ShadowSpace[DIRECTORIES];

        Sequence(
                TestGuest guest,
                TestGuest.Shadow naive,
                TestGuest.Shadow incremental,
                long seed,
                boolean exposing) {
            this.exposing = exposing;
            this.guest = guest;
            this.naive = naive;
            this.incremental = incremental;
            this.seed = seed;
            random = new Random(seed);
            of64KiB = random.nextBoolean();
            guest.mmu.bigPagesOf64KiB(of64KiB);
            tables = new RandomTables(random, guest);
        }

        void run() {
            if (exposing) {
                guest.moveAll(_ -> random.nextBoolean());
            }
            naive.spaces.geometryChanged();
            incremental.spaces.geometryChanged();
            for (int i = 0; i < DIRECTORIES; i++) {
                targets[i] = tables.directoryTarget();
                directories[i] = tables.page(targets[i]);
                tables.populate(targets[i], directories[i]);
                naiveSpaces[i] = naive.acquire(targets[i], directories[i]);
                spaces[i] = incremental.acquire(targets[i], directories[i]);
            }
            for (int step = 0; step < STEPS; step++) {
                int which = random.nextInt(DIRECTORIES);
                if (exposing && random.nextInt(MOVE_EVERY) == 0) {
                    guest.move(random.nextBoolean() ? randomPage() : directories[which]);
                }
                tables.edit(targets[which], directories[which]);
                if (random.nextInt(FLUSH_EVERY) == 0) {
                    flush();
                } else if (random.nextInt(16) == 0) {
                    incremental.spaces.prepare(spaces[which]);
                }
            }
            for (int i = 0; i < DIRECTORIES; i++) {
                naive.spaces.release(naiveSpaces[i]);
                incremental.spaces.release(spaces[i]);
            }
            assertEquals(0, incremental.arena.usedBytes(), this::toString);
            assertEquals(0, incremental.spaces.parts().kept.taken(), this::toString);
            guest.moveAll(guest::isExposed);
        }

        private long randomPage() {
            return random.nextLong(TestGuest.VRAM_BYTES) & -TestGuest.PAGE;
        }

        private void flush() {
            naive.flushAll();
            incremental.flushAll();
            for (int i = 0; i < DIRECTORIES; i++) {
                compareTables(i);
                compareWalks(i);
            }
        }

        private void compareTables(int which) {
            int entries = VmArena.GEOMETRY.directoryEntries();
            MemorySegment expected = directory(naive, naiveSpaces[which], entries);
            MemorySegment actual = directory(incremental, spaces[which], entries);
            for (int i = 0; i < entries; i++) {
                long a = expected.getAtIndex(ValueLayout.JAVA_LONG, i);
                long b = actual.getAtIndex(ValueLayout.JAVA_LONG, i);
                if (a != 0 || b != 0) {
                    compareSpan(a, b);
                }
            }
        }

        private MemorySegment directory(TestGuest.Shadow shadow, ShadowSpace space, int entries) {
            return shadow.at(space.directoryIova(), (long) entries * PageDirectoryEntry.BYTES);
        }

        private void compareSpan(long expected, long actual) {
            assertEquals(
                    PageDirectoryEntry.sizeShift(expected),
                    PageDirectoryEntry.sizeShift(actual),
                    this::toString);
            compareTable(
                    PageDirectoryEntry.smallTarget(expected),
                    PageDirectoryEntry.smallTable(expected),
                    PageDirectoryEntry.smallTarget(actual),
                    PageDirectoryEntry.smallTable(actual),
                    ArenaBlock.SMALL_TABLE);
            compareTable(
                    PageDirectoryEntry.bigTarget(expected),
                    PageDirectoryEntry.bigTable(expected),
                    PageDirectoryEntry.bigTarget(actual),
                    PageDirectoryEntry.bigTable(actual),
                    ArenaBlock.BIG_TABLE);
        }

        private void compareTable(
                MemoryTarget expectedTarget,
                long expected,
                MemoryTarget actualTarget,
                long actual,
                ArenaBlock kind) {
            assertEquals(expectedTarget, actualTarget, this::toString);
            if (expectedTarget != null) {
                MemorySegment naiveTable = naive.at(expected, kind.bytes());
                MemorySegment table = incremental.at(actual, kind.bytes());
                assertEquals(-1, naiveTable.mismatch(table), this::toString);
            }
        }

        private void compareWalks(int which) {
            PageWalk walk = incremental.walk(spaces[which]);
            NaiveWalk model =
                    new NaiveWalk(guest, of64KiB, targets[which], directories[which], coverage);
            for (long gpuVa : tables.addresses) {
                long expected = model.walk(gpuVa);
                boolean found = walk.walk(gpuVa);
                assertEquals(expected != 0, found, this::toString);
                if (found) {
                    present++;
                    assertEquals(
                            PageTableEntry.physicalAddress(expected),
                            walk.physicalAddress(gpuVa & -TestGuest.PAGE),
                            this::toString);
                }
            }
        }

        @Override
        public String toString() {
            return "seed=" + seed;
        }
    }
}
