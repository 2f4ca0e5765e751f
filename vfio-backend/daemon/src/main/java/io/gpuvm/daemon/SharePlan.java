package io.gpuvm.daemon;

import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VramShare;
import java.util.ArrayList;
import java.util.List;

/// Division of a shared GPU's VRAM and bus addresses among virtual machines.
///
/// ```text
///  VRAM:   parts one after another from 0
///  bus:    owner | arena 0 | arena 1 | ...        the first 32 GiB of the range
/// then 32 GiB for each virtual machine's memory
/// ```
///
/// @param vram parts of the VRAM, by virtual machine
/// @param base start of the bus addresses
record SharePlan(List<VramShare> vram, long base) {
    /// Maximum size of the shadow structures of one virtual machine.
    static final long ARENA = 64L << 20;

    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;

    /// Length of the range of bus addresses for one virtual machine's memory: longer than the
    /// memory of current virtual machines. The address space has room for thirty such ranges.
    static final long MEMORY = 32 * GIB;

    /// Granularity of equal parts: round numbers are easier to read in logs.
    private static final long VRAM_STEP = 16 * MIB;

    private static final long OWNER = MIB;

    /// Minimum size of BAR3, in which nouveau stores its page tables and instance blocks, and those
    /// of its clients. The minimum that nouveau needs is unknown; this value is a quarter of a
    /// board's BAR3.
    private static final long LEAST_BAR3 = 16 * MIB;

    /// @param vramBytes size of the GPU's VRAM
    /// @param usable bus addresses available to the GPU
    /// @param vms virtual machines in the order of their slots
    /// @throws ConfigException if VRAM or bus addresses do not suffice for all virtual machines
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

    /// Returns the bus addresses of the owner's memory.
    IovaShare owner() {
        return new IovaShare(base, OWNER);
    }

    /// Returns the size of BAR3 for each virtual machine that has a piece of the card's BAR3: the
    /// whole BAR3 for a single virtual machine, otherwise a power of two.
    ///
    /// @param cardBytes size of the card's BAR3
    /// @param largest size of BAR3 for virtual machines without such a piece
    /// @throws ConfigException if the pieces would be too small
    static long bar3Bytes(long cardBytes, long largest, List<VmConfig> vms) {
        long pieces = vms.stream().filter(VmConfig::trustsVmm).count();
        long each = Math.min(largest, Long.highestOneBit(cardBytes / Math.max(1, pieces)));
        if (pieces > 0 && each < LEAST_BAR3) {
            throw new ConfigException(
                    "--vm: %d virtual machines with trust-vmm=yes, limit=%d: the card's BAR3 has %d MiB, and each virtual machine needs %d MiB"
                            .formatted(
                                    pieces,
                                    cardBytes / LEAST_BAR3,
                                    cardBytes / MIB,
                                    LEAST_BAR3 / MIB));
        }
        return each;
    }

    /// Returns the part of each virtual machine that specifies no size.
    private static long equalPart(long vramBytes, List<VmConfig> vms) {
        long named = 0;
        int unnamed = 0;
        for (VmConfig vm : vms) {
            named += vm.vramBytes();
            unnamed += vm.vramBytes() == VmConfig.EQUAL_PART ? 1 : 0;
        }
        if (named > vramBytes) {
            throw new ConfigException(
                    "--vm: sum of all vram= is %d MiB, limit=%d MiB (the GPU's)"
                            .formatted(named / MIB, vramBytes / MIB));
        }
        if (unnamed == 0) {
            return 0;
        }
        long equal = (vramBytes - named) / unnamed / VRAM_STEP * VRAM_STEP;
        if (equal < Board.MIN_VRAM_MIB * MIB) {
            throw new ConfigException(
                    "--vm: %d virtual machines without vram= share %d MiB of VRAM, expected at least %d MiB for each"
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
                "%d virtual machines need %#x contiguous bus addresses, available ranges: %s"
                        .formatted(vms, needed, usable));
    }
}
