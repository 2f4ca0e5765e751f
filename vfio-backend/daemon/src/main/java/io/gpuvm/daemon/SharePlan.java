package io.gpuvm.daemon;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VramShare;
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

    /// nouveau keeps its page tables and instance blocks there, and those of its clients. What it
    /// needs at the least was not found out; this is a quarter of what a board has.
    private static final long LEAST_BAR3 = 16 * MIB;

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

    /// How large the BAR3 of each virtual machine is that has a piece of the card's: all of it for
    /// one, else a power of two.
    ///
    /// @param cardBytes the card's BAR3
    /// @param largest what those have whose BAR3 is not the card's
    /// @throws ConfigException if not enough is left for each
    static long bar3Bytes(long cardBytes, long largest, List<VmConfig> vms) {
        long pieces = vms.stream().filter(VmConfig::trustsVmm).count();
        long each = Math.min(largest, Long.highestOneBit(cardBytes / Math.max(1, pieces)));
        if (pieces > 0 && each < LEAST_BAR3) {
            throw new ConfigException(
                    "--vm: trust-vmm=yes of %d virtual machines, limit=%d: they share the card's BAR3 of %d MiB, and each needs %d MiB of it"
                            .formatted(
                                    pieces,
                                    cardBytes / LEAST_BAR3,
                                    cardBytes / MIB,
                                    LEAST_BAR3 / MIB));
        }
        return each;
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
