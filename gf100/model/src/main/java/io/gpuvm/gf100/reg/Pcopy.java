package io.gpuvm.gf100.reg;

/// PCOPY: the two copy engines, each a falcon beside a DMA engine.
///
/// Sources: envytools `rnndb/fifo/pcopy.xml`; nouveau `nvkm/engine/ce/{gt215,gf100}.c`.
public final class Pcopy {
    static final RegisterBlock BLOCK_0 = new RegisterBlock("PCOPY0", 0x104000, 0x1000);
    static final RegisterBlock BLOCK_1 = new RegisterBlock("PCOPY1", 0x105000, 0x1000);

    /// Copy engine 0, which executes class 90b5.
    public static final Falcon FALCON_0 = new Falcon(BLOCK_0, 0x104000);

    /// Copy engine 1, which executes class 90b8.
    public static final Falcon FALCON_1 = new Falcon(BLOCK_1, 0x105000);

    /// Size of the code memory, in falcon pages.
    public static final int CODE_PAGES = 0x12;

    /// Size of the data memory, in falcon pages.
    public static final int DATA_PAGES = 0x08;

    private Pcopy() {}
}
