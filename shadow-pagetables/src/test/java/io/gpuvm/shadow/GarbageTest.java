package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Test of a guest whose memory contains random data: no method throws, and every page that
/// hardware can find is within the guest's shares.
class GarbageTest {
    private static final int ROUNDS = 2;
    private static final int DIRECTORIES = 2;
    private static final long QUOTA = 4 << 20;
    private static final TableGeometry GEOMETRY = VmArena.GEOMETRY;

    private long present;

    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenRandomMemory_whenShadowed_thenPagesAreWithinShares(ShadowStrategy strategy) {
        long seeds = System.nanoTime();
        try (TestGuest guest = new TestGuest()) {
            TestGuest.Shadow shadow = guest.shadow(strategy, QUOTA);
            for (int round = 0; round < ROUNDS; round++) {
                run(guest, shadow, seeds + round);
            }
        }
        assertTrue(present > 0);
    }

    private void run(TestGuest guest, TestGuest.Shadow shadow, long seed) {
        Random random = new Random(seed);
        guest.mmu.bigPagesOf64KiB(random.nextBoolean());
        shadow.spaces.geometryChanged();
        fill(guest.vram, random);
        fill(guest.ram, random);
        guest.moveAll(_ -> random.nextBoolean());
        List<ShadowSpace> spaces = new ArrayList<>();
        for (int i = 0; i < DIRECTORIES; i++) {
            ShadowSpace space = shadow.acquire(MemoryTarget.VRAM, i * TestGuest.PAGE);
            // The first spaces may have exhausted the quota.
            if (space != null) {
                spaces.add(space);
                shadow.spaces.prepare(space);
            }
        }
        for (int i = 0; i < 100; i++) {
            long address = random.nextLong(TestGuest.VRAM_BYTES) & -Long.BYTES;
            guest.word(MemoryTarget.VRAM, address, garbage(random));
        }
        shadow.flushAll();
        for (ShadowSpace space : spaces) {
            shadow.spaces.prepare(space);
            checkDirectory(shadow, space, seed);
        }
        for (ShadowSpace space : spaces) {
            shadow.spaces.release(space);
        }
    }

    private static void fill(MemorySegment memory, Random random) {
        for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG, at, garbage(random));
        }
    }

    /// Returns a random word, which is often an entry with an address in or near the guest's
    /// memory.
    private static long garbage(Random random) {
        long page = random.nextLong(2 * TestGuest.VRAM_BYTES) & -TestGuest.PAGE;
        MemoryTarget target = MemoryTarget.values()[random.nextInt(MemoryTarget.values().length)];
        return switch (random.nextInt(16)) {
            case 0 -> random.nextLong();
            case 1 -> PageDirectoryEntry.withSmallTable(0, MemoryTarget.VRAM, page);
            case 2 -> PageDirectoryEntry.withBigTable(0, MemoryTarget.SYSTEM_COHERENT, page);
            case 3, 4, 5 -> PageTableEntry.of(target, page);
            default -> 0;
        };
    }

    private void checkDirectory(TestGuest.Shadow shadow, ShadowSpace space, long seed) {
        MemorySegment directory = shadow.at(space.directoryIova(), GEOMETRY.directoryBytes());
        for (int i = 0; i < GEOMETRY.directoryEntries(); i++) {
            long entry = directory.getAtIndex(ValueLayout.JAVA_LONG, i);
            if (PageDirectoryEntry.smallTarget(entry) != null) {
                long table = PageDirectoryEntry.smallTable(entry);
                checkTable(shadow, table, PageSize.SMALL_4K, seed);
            }
            if (PageDirectoryEntry.bigTarget(entry) != null) {
                checkTable(shadow, PageDirectoryEntry.bigTable(entry), GEOMETRY.bigPage(), seed);
            }
        }
    }

    private void checkTable(TestGuest.Shadow shadow, long table, PageSize size, long seed) {
        MemorySegment entries = shadow.at(table, GEOMETRY.tableBytes(size));
        for (int i = 0; i < GEOMETRY.tableEntries(size); i++) {
            long entry = entries.getAtIndex(ValueLayout.JAVA_LONG, i);
            if (PageTableEntry.isPresent(entry)) {
                present++;
                boolean vram = PageTableEntry.target(entry) == MemoryTarget.VRAM;
                long base = vram ? TestGuest.VRAM_SHARE.hostBase() : TestGuest.IOVA_SHARE.base();
                long bytes = vram ? TestGuest.VRAM_BYTES : TestGuest.IOVA_SHARE.bytes();
                long offset = PageTableEntry.physicalAddress(entry) - base;
                assertTrue(
                        offset >= 0 && offset <= bytes - size.bytes(),
                        () -> "seed=%d entry=%#x".formatted(seed, entry));
            }
        }
    }
}
