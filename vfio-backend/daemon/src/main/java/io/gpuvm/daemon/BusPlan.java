package io.gpuvm.daemon;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.port.IovaShare;
import java.util.List;

/// Division of a shared GPU's bus addresses among slots, one for each virtual machine.
///
/// ```text
///  owner | arena 0 | arena 1 | ...        the first 32 GiB of the range
///  then 32 GiB for the memory of each slot's virtual machine
/// ```
///
/// @param base start of the bus addresses
/// @param slots number of slots
record BusPlan(long base, int slots) {
    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;

    /// Maximum size of the shadow structures of one virtual machine.
    static final long ARENA = 64 * MIB;

    /// Length of the range of bus addresses for one virtual machine's memory: longer than the
    /// memory of current virtual machines.
    static final long MEMORY = 32 * GIB;

    /// Maximum number of slots: 1 TiB of bus addresses (40 bits) has room for them, whether or not
    /// its first range is usable.
    static final int MOST_SLOTS = 30;

    private static final long OWNER = MIB;

    /// Returns the plan with the most slots.
    ///
    /// @param usable bus addresses available to the GPU
    /// @param least required number of slots
    /// @throws ConfigException if the bus addresses do not suffice
    static BusPlan of(List<IovaRange> usable, int least) {
        BusPlan best = null;
        for (IovaRange range : usable) {
            long first = range.first() + MEMORY - 1 & -MEMORY;
            int slots = MOST_SLOTS;
            while (slots > 0 && !range.contains(first, (slots + 1) * MEMORY)) {
                slots--;
            }
            if (best == null || slots > best.slots) {
                best = new BusPlan(first, slots);
            }
        }
        if (least > MOST_SLOTS) {
            throw new ConfigException("virtual machines=%d, limit=%d".formatted(least, MOST_SLOTS));
        }
        if (best == null || best.slots < Math.max(1, least)) {
            throw new ConfigException(
                    "%d virtual machines need %#x contiguous bus addresses, available ranges: %s"
                            .formatted(least, (least + 1) * MEMORY, usable));
        }
        return best;
    }

    IovaShare memory(int slot) {
        return new IovaShare(base + (slot + 1) * MEMORY, MEMORY);
    }

    long arenaIova(int slot) {
        return base + OWNER + slot * ARENA;
    }

    long ownerIova() {
        return base;
    }

    /// Returns the bus addresses of the owner's memory.
    IovaShare owner() {
        return new IovaShare(base, OWNER);
    }
}
