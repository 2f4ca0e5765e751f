package io.gpuvm.backend;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.shadow.IovaShare;
import io.gpuvm.shadow.VramShare;
import java.util.List;

/// Who gets which part of a shared GPU's VRAM and bus addresses.
///
/// ```text
///  VRAM:   equal shares from 0
///  bus:    owner | arena 0 | arena 1 | ...        the first 32 GiB of the range
///          32 GiB for each virtual machine's memory behind
/// ```
///
/// @param shareBytes VRAM of each virtual machine
/// @param base where the bus addresses begin
record SharePlan(long shareBytes, long base) {
    /// Shadow structures of one virtual machine.
    static final long ARENA = 64L << 20;

    private static final long GIB = 1L << 30;

    /// More memory than a virtual machine of today has, and room for thirty of them.
    private static final long MEMORY = 32 * GIB;

    /// What drivers can live with starts at 64 MiB, and big pages are 128 KiB; round numbers are
    /// easier to read in logs.
    private static final long VRAM_STEP = 16L << 20;

    private static final long OWNER = 1L << 20;

    /// @throws ConfigException if there is not enough for so many
    static SharePlan of(long vramBytes, List<IovaRange> usable, int vms) {
        long share = vramBytes / vms / VRAM_STEP * VRAM_STEP;
        if (share < 4 * VRAM_STEP) {
            throw new ConfigException(
                    "%d virtual machines share %d MiB of VRAM, limit=%d MiB for each"
                            .formatted(vms, vramBytes >> 20, 4 * VRAM_STEP >> 20));
        }
        long needed = (vms + 1) * MEMORY;
        for (IovaRange range : usable) {
            long first = range.first() + MEMORY - 1 & -MEMORY;
            if (range.contains(first, needed) && OWNER + vms * ARENA <= MEMORY) {
                return new SharePlan(share, first);
            }
        }
        throw new ConfigException(
                "%d virtual machines need %#x bus addresses in one piece, limit=%s"
                        .formatted(vms, needed, usable));
    }

    VramShare vram(int slot) {
        return new VramShare(slot * shareBytes, shareBytes);
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
}
