package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;

/// PFIFO_FLUSH: flushes that make the host's writes visible to the GPU, and the GPU's writes
/// visible to the host.
///
/// Sources: envytools `rnndb/nv_mmio.xml`; nouveau `nvkm/subdev/bar/g84.c`,
/// `nvkm/subdev/ltc/gf100.c`.
public final class PfifoFlush {
    static final RegisterBlock BLOCK = new RegisterBlock("PFIFO_FLUSH", 0x070000, 0x1000);

    /// Writing 1 starts a flush; bit 1 reads 1 during the flush.
    public static final Register FLUSH_CTRL = BLOCK.reg32("FLUSH_CTRL", 0x070000);

    public static final BitField FLUSH_CTRL_START = bit(0);
    public static final BitField FLUSH_CTRL_BUSY = bit(1);

    /// Writing 1 invalidates clean lines of the L2 cache; bits 1:0 read non-zero during the
    /// operation.
    public static final Register L2_INVALIDATE = BLOCK.reg32("L2_INVALIDATE", 0x070004);

    /// Writing 1 writes back dirty lines of the L2 cache; bits 1:0 read non-zero during the
    /// operation.
    public static final Register L2_FLUSH = BLOCK.reg32("L2_FLUSH", 0x070010);

    private PfifoFlush() {}
}
