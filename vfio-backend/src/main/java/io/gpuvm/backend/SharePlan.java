package io.gpuvm.backend;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.shadow.IovaShare;
import io.gpuvm.shadow.VramShare;
import java.util.ArrayList;
import java.util.List;

/// Who gets which part of a shared GPU's VRAM and bus addresses.
///
/// ```text
///  VRAM:   one part behind the other from 0
///  bus:    owner | arena 0 | arena 1 | ...        the first 32 GiB of the range
///          32 GiB for each virtual machine's memory behind
/// ```
///
/// @param vram the part of each virtual machine
/// @param base where the bus addresses begin
record SharePlan(List<VramShare> vram, long base) {
    /// Shadow structures of one virtual machine, at the most.
    static final long ARENA = 64L << 20;

    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;

    /// More memory than a virtual machine of today has, and room for thirty of them.
    private static final long MEMORY = 32 * GIB;

    /// Equal parts are round numbers, which are easier to read in logs.
    private static final long VRAM_STEP = 16 * MIB;

    private static final long OWNER = MIB;

    /// @param vramBytes the GPU's
    /// @param usable bus addresses that the GPU can be given
    /// @param vms in the order of their slots
    /// @throws ConfigException if there is not enough for so many
    static SharePlan of(long vramBytes, List<IovaRange> usable, List<VmConfig> vms) {
        long equal = equalPart(vramBytes, vms);
        List<VramShare> parts = new ArrayList<>();
        long next = 0;
        for (VmConfig vm : vms) {
            long bytes = vm.vramBytes() == VmConfig.EQUAL_PART ? equal : vm.vramBytes();
            parts.add(new VramShare(next, bytes));
            next += bytes;
        }
        return new SharePlan(List.copyOf(parts), busBase(usable, vms.size()));
    }

    VramShare vram(int slot) {
        return vram.get(slot);
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

    /// What the owner has for itself.
    IovaShare owner() {
        return new IovaShare(base, OWNER);
    }

    /// What everybody gets who names no size.
    private static long equalPart(long vramBytes, List<VmConfig> vms) {
        long named = 0;
        int unnamed = 0;
        for (VmConfig vm : vms) {
            named += vm.vramBytes();
            unnamed += vm.vramBytes() == VmConfig.EQUAL_PART ? 1 : 0;
        }
        if (named > vramBytes) {
            throw new ConfigException(
                    "--vm: vram=... of all together is %d MiB, limit=%d MiB (the GPU's)"
                            .formatted(named / MIB, vramBytes / MIB));
        }
        if (unnamed == 0) {
            return 0;
        }
        long equal = (vramBytes - named) / unnamed / VRAM_STEP * VRAM_STEP;
        if (equal < Board.MIN_VRAM_MIB * MIB) {
            throw new ConfigException(
                    "--vm: %d virtual machines that name no vram= share %d MiB of VRAM, limit=%d MiB for each"
                            .formatted(unnamed, (vramBytes - named) / MIB, Board.MIN_VRAM_MIB));
        }
        return Math.min(equal, Board.MAX_VRAM_MIB * MIB);
    }

    private static long busBase(List<IovaRange> usable, int vms) {
        long needed = (vms + 1) * MEMORY;
        for (IovaRange range : usable) {
            long first = range.first() + MEMORY - 1 & -MEMORY;
            if (range.contains(first, needed) && OWNER + vms * ARENA <= MEMORY) {
                return first;
            }
        }
        throw new ConfigException(
                "%d virtual machines need %#x bus addresses in one piece, limit=%s"
                        .formatted(vms, needed, usable));
    }
}
