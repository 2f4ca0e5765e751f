package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.PageWalk;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests with random tables that a hardware walk of the shadow finds the translation of the entry
/// that a walk of the guest's tables finds.
class TranslationTest {
    private static final int CASES = 2_000;
    private static final int LONG_CASES = 100_000;

    private final WalkCoverage coverage = new WalkCoverage();
    private int present;

    @Test
    void givenRandomTables_whenShadowed_thenTranslationsMatchModel() {
        run(CASES);
    }

    @Test
    @Tag("long")
    void givenManyRandomTables_whenShadowed_thenTranslationsMatchModel() {
        run(LONG_CASES);
        System.err.println("pages found: " + coverage);
    }

    private void run(int cases) {
        // Generators with adjacent seeds begin with similar numbers.
        Random seeds = new Random(System.nanoTime());
        try (TestGuest guest = new TestGuest()) {
            TestGuest.Shadow[] shadows = {
                guest.shadow(ShadowStrategy.NAIVE),
                guest.shadow(ShadowStrategy.LAZY),
                guest.shadow(ShadowStrategy.INCREMENTAL)
            };
            for (int i = 0; i < cases; i++) {
                check(guest, shadows[i % shadows.length], seeds.nextLong());
                guest.clear();
            }
        }
        assertTrue(present > cases, "pages found=" + present);
        coverage.assertComplete();
    }

    private void check(TestGuest guest, TestGuest.Shadow shadow, long seed) {
        Random random = new Random(seed);
        boolean of64KiB = random.nextBoolean();
        guest.mmu.bigPagesOf64KiB(of64KiB);
        shadow.spaces.geometryChanged();
        RandomTables tables = new RandomTables(random, guest);
        MemoryTarget target = tables.directoryTarget();
        long directory = tables.page(target);
        tables.populate(target, directory);
        ShadowSpace space = shadow.acquire(target, directory);
        assertTrue(shadow.spaces.prepare(space));
        PageWalk walk = shadow.walk(space);
        NaiveWalk naive = new NaiveWalk(guest, of64KiB, target, directory, coverage);
        for (long gpuVa : tables.addresses) {
            compare(naive.walk(gpuVa), walk, gpuVa, seed);
        }
        shadow.spaces.release(space);
        assertEquals(0, shadow.arena.usedBytes(), () -> "seed=" + seed);
    }

    private void compare(long expected, PageWalk walk, long gpuVa, long seed) {
        boolean found = walk.walk(gpuVa);
        if (found) {
            long page = walk.physicalAddress(gpuVa & -TestGuest.PAGE);
            long actual =
                    walk.entry()
                            + PageTableEntry.of(MemoryTarget.VRAM, page)
                            - PageTableEntry.of(
                                    MemoryTarget.VRAM,
                                    PageTableEntry.physicalAddress(walk.entry()));
            assertEquals(
                    Long.toHexString(expected),
                    Long.toHexString(actual),
                    () -> "seed=%d gpuVa=%#x".formatted(seed, gpuVa));
            present++;
        } else {
            assertEquals(0, expected, () -> "seed=%d gpuVa=%#x".formatted(seed, gpuVa));
        }
    }
}
