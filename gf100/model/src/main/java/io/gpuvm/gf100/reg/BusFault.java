package io.gpuvm.gf100.reg;

/// Registers beside PTIMER in which PBUS records the last faulty register access.
///
/// Sources: envytools `rnndb/bus/ptimer.xml`; nouveau `nvkm/subdev/bus/gf100.c`.
public final class BusFault {
    static final RegisterBlock BLOCK = new RegisterBlock("PTIMER", 0x009000, 0x100);

    public static final Register MMIO_FAULT_ADDRESS = BLOCK.reg32("MMIO_FAULT_ADDRESS", 0x009084);
    public static final Register MMIO_FAULT_DATA = BLOCK.reg32("MMIO_FAULT_DATA", 0x009088);

    private BusFault() {}
}
