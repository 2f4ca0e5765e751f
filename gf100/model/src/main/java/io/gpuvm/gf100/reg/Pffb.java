package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PFFB: the memory hub, with the MMU's settings and its TLB flush.
///
/// Sources: envytools `rnndb/memory/gf100_pffb.xml`; nouveau `nvkm/subdev/fb/gf100.c`,
/// `nvkm/subdev/mmu/vmmgf100.c`, `nvkm/engine/gr/gf100.c`.
public final class Pffb {
    static final RegisterBlock BLOCK = new RegisterBlock("PFFB", 0x100000, 0x1000);

    /// Configuration that drivers copy to every GPC.
    public static final Register PART_CONFIG = BLOCK.reg32("PART_CONFIG", 0x100800);

    /// Page of system memory to which flushes write.
    public static final Register SYSRAM_ADDR = BLOCK.reg32("UNKC00.UNK08_SYSRAM_ADDR", 0x100c10);

    public static final Register VM_CFG = BLOCK.reg32("VM.CFG", 0x100c80);

    /// Selects big pages of 64 KiB instead of 128 KiB.
    public static final BitField VM_CFG_BIG_PAGES_64K = bit(0);

    /// All requested flushes are complete.
    public static final BitField VM_CFG_FLUSH_DONE = bit(15);

    /// Free entries in the queue of flushes.
    public static final BitField VM_CFG_FLUSH_SLOTS = bits(23, 16);

    /// Page directory whose translations a flush invalidates: address and target.
    public static final Register VM_TLB_FLUSH_VSPACE = BLOCK.reg32("VM.TLB_FLUSH_VSPACE", 0x100cb8);

    public static final BitField VM_TLB_FLUSH_VSPACE_ADDRESS = bits(31, 4).scaledBy(12);
    public static final BitField VM_TLB_FLUSH_VSPACE_TARGET = bits(1, 0);

    public static final Register VM_TLB_FLUSH_TRIGGER =
            BLOCK.reg32("VM.TLB_FLUSH_TRIGGER", 0x100cbc);
    public static final BitField VM_TLB_FLUSH_TRIGGER_BUSY = bit(31);

    /// Invalidates the translations of all addresses.
    public static final BitField VM_TLB_FLUSH_ALL_PAGES = bit(0);

    /// Invalidates translations of every page directory, regardless of [#VM_TLB_FLUSH_VSPACE].
    public static final BitField VM_TLB_FLUSH_ALL_DIRECTORIES = bit(1);

    /// Invalidates only translations in the memory hub, which caches the translations of the BARs.
    public static final BitField VM_TLB_FLUSH_HUB_ONLY = bit(2);

    private Pffb() {}
}
