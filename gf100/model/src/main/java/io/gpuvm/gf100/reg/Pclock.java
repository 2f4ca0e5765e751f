package io.gpuvm.gf100.reg;

/// PCLOCK: dividers and multiplexers of the core's clock domains.
///
/// Sources: envytools `rnndb/pm/gf100_pclock.xml`; nouveau `nvkm/subdev/clk/gf100.c`.
public final class Pclock {
    static final RegisterBlock BLOCK = new RegisterBlock("PCLOCK", 0x137000, 0x1000);

    /// Domains that run from a separate PLL.
    public static final Register SRC_SEL = BLOCK.reg32("SRC_SEL", 0x137100);

    /// Source of a domain's divider, by domain.
    public static final RegisterArray DIV_SRC = BLOCK.array("DIV_SRC", 0x137160, 4, 16);

    /// Divider of a domain, by domain.
    public static final RegisterArray DIV_CTRL = BLOCK.array("DIV_CTRL", 0x1371d0, 4, 16);

    /// Divider after a domain's multiplexer, by domain.
    public static final RegisterArray POST_DIV_CTRL = BLOCK.array("POST_DIV_CTRL", 0x137250, 4, 16);

    public static final Register MCLK_PLL0_REF_DIV_SRC =
            BLOCK.reg32("MCLK_PLL0_REF_DIV_SRC", 0x137300);
    public static final Register SRC_SEL2 = BLOCK.reg32("SRC_SEL2", 0x1373f0);

    private Pclock() {}
}
