package io.gpuvm.daemon;

import io.gpuvm.gf100.unit.Board;
import java.util.List;

/// Division of a shared GPU's VRAM, and of a card's BAR3, among the virtual machines of the start.
final class SharePlan {
    private static final long MIB = 1L << 20;

    /// Granularity of equal parts: round numbers are easier to read in logs.
    private static final long VRAM_STEP = 16 * MIB;

    /// Minimum size of BAR3, in which nouveau stores its page tables and instance blocks, and those
    /// of its clients. The minimum that nouveau needs is unknown; this value is a quarter of a
    /// board's BAR3.
    private static final long LEAST_BAR3 = 16 * MIB;

    private SharePlan() {}

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

    /// Returns the part of each virtual machine that specifies no size, in bytes; 0 if all specify
    /// their sizes.
    ///
    /// @param vramBytes size of the GPU's VRAM
    /// @throws ConfigException if the VRAM does not suffice for all virtual machines
    static long equalPart(long vramBytes, List<VmConfig> vms) {
        long named = 0;
        int unnamed = 0;
        for (VmConfig vm : vms) {
            named += vm.vramBytes(vramBytes);
            unnamed += vm.vram().isEqualPart() ? 1 : 0;
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
}
