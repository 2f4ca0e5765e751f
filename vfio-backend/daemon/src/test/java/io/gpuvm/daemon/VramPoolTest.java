package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.port.VramShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the VRAM that no virtual machine holds.
class VramPoolTest {
    private static final long MIB = 1L << 20;

    private final VramPool pool = new VramPool(1024 * MIB);

    @Test
    void givenFreeVram_whenTaken_thenPartsAreDisjointAndContiguous() {
        assertEquals(List.of(new VramShare(0, 100 * MIB)), pool.take(100 * MIB));
        assertEquals(new VramShare(100 * MIB, 64 * MIB), pool.takeOne(64 * MIB));
        assertEquals(860 * MIB, pool.freeBytes());
        assertEquals(860 * MIB, pool.largestBytes());
    }

    @Test
    void givenHoles_whenMoreThanLargestHoleIsTaken_thenSeveralPartsAreGranted() {
        List<List<VramShare>> all = takeAll(128);
        pool.giveBack(all.get(1));
        pool.giveBack(all.get(3));
        pool.giveBack(all.get(5));
        assertEquals(128 * MIB, pool.largestBytes());

        List<VramShare> parts = pool.take(300 * MIB);

        assertEquals(300 * MIB, sum(parts));
        assertEquals(3, parts.size());
        assertEquals(84 * MIB, pool.freeBytes());
        pool.giveBack(parts);
        assertEquals(3 * 128 * MIB, pool.freeBytes());
    }

    @Test
    void givenHoles_whenOnePartIsTaken_thenRefusalNamesSizes() {
        List<List<VramShare>> all = takeAll(128);
        pool.giveBack(all.get(1));
        pool.giveBack(all.get(3));
        ConfigException refused =
                assertThrows(ConfigException.class, () -> pool.takeOne(129 * MIB));
        assertEquals(
                "vram=129M, free=256M, longest free range=128M, limit=1 part",
                refused.getMessage());
    }

    @Test
    void givenTooLittleVram_whenTaken_thenRefusalNamesSizesAndNothingIsLost() {
        pool.take(1000 * MIB);
        ConfigException refused = assertThrows(ConfigException.class, () -> pool.take(64 * MIB));
        assertEquals(
                "vram=64M, free=24M, longest free range=24M, limit=16 parts", refused.getMessage());
        assertEquals(24 * MIB, pool.freeBytes());
    }

    @Test
    void givenManySmallHoles_whenMorePartsThanLimitAreNeeded_thenRefusalLosesNothing() {
        List<List<VramShare>> all = takeAll(1);
        for (int i = 0; i < all.size(); i += 2) {
            pool.giveBack(all.get(i));
        }
        ConfigException refused = assertThrows(ConfigException.class, () -> pool.take(64 * MIB));
        assertEquals(
                "vram=64M, free=512M, longest free range=1M, limit=16 parts", refused.getMessage());
        assertEquals(512 * MIB, pool.freeBytes());
        assertEquals(16, pool.take(16 * MIB).size());
    }

    @Test
    void givenRandomAttachments_whenAllHaveLeft_thenAllVramIsOneRange() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<List<VramShare>> held = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            long bytes = (64 + random.nextInt(200)) * MIB;
            if (random.nextBoolean() && !held.isEmpty()) {
                pool.giveBack(held.remove(random.nextInt(held.size())));
            } else if (bytes <= pool.largestBytes()) {
                held.add(pool.take(bytes));
            }
            long heldBytes = held.stream().mapToLong(VramPoolTest::sum).sum();
            assertEquals(1024 * MIB, heldBytes + pool.freeBytes(), "seed=" + seed);
        }
        held.forEach(pool::giveBack);
        assertEquals(1024 * MIB, pool.largestBytes(), "seed=" + seed);
    }

    /// Takes all VRAM in parts of one size.
    private List<List<VramShare>> takeAll(long mib) {
        List<List<VramShare>> all = new ArrayList<>();
        while (pool.freeBytes() > 0) {
            all.add(pool.take(mib * MIB));
        }
        return all;
    }

    private static long sum(List<VramShare> parts) {
        return parts.stream().mapToLong(VramShare::bytes).sum();
    }
}
