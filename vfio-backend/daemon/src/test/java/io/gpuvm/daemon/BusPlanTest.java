package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.port.IovaShare;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the division of a GPU's bus addresses.
class BusPlanTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final IovaRange ALL = new IovaRange(0, (1L << 40) - 1);

    @Test
    void givenAllAddressesOfGf100_whenPlanned_thenPartsOfThirtySlotsAreDisjoint() {
        BusPlan plan = BusPlan.of(List.of(ALL), 0);
        assertEquals(BusPlan.MOST_SLOTS, plan.slots());
        long end = plan.ownerIova() + MIB;
        for (int slot = 0; slot < plan.slots(); slot++) {
            assertEquals(end, plan.arenaIova(slot));
            end = plan.arenaIova(slot) + BusPlan.ARENA;
        }
        for (int slot = 0; slot < plan.slots(); slot++) {
            IovaShare memory = plan.memory(slot);
            assertFalse(memory.base() < end);
            end = memory.base() + memory.bytes();
        }
        assertTrue(end <= 1L << 40);
    }

    @Test
    void givenSeveralRanges_whenPlanned_thenRangeWithMostSlotsIsUsed() {
        IovaRange low = new IovaRange(0, 96 * GIB - 1);
        IovaRange high = new IovaRange(100 * GIB, 300 * GIB - 1);
        BusPlan plan = BusPlan.of(List.of(low, high), 1);
        assertEquals(128 * GIB, plan.base());
        assertEquals(4, plan.slots());
    }

    @Test
    void givenTooFewBusAddresses_whenPlanned_thenErrorNamesBusAddresses() {
        List<IovaRange> bus = List.of(new IovaRange(0, 64 * GIB - 1));
        assertEquals(1, BusPlan.of(bus, 1).slots());
        ConfigException refused = assertThrows(ConfigException.class, () -> BusPlan.of(bus, 2));
        assertTrue(
                refused.getMessage()
                        .contains("2 virtual machines need 0x1800000000 contiguous bus addresses"),
                refused.getMessage());
    }

    @Test
    void givenTooManyVirtualMachines_whenPlanned_thenLimitIsNamed() {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> BusPlan.of(List.of(ALL), 31));
        assertEquals("virtual machines=31, limit=30", refused.getMessage());
    }
}
