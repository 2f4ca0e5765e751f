package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Ppci;

/// PPCI: the mirror of the PCI function's registers in BAR0, and the register that re-arms MSI.
///
/// The component that presents the PCI function implements the configuration space; this unit
/// stores only the parts of the mirror in BAR0 that drivers access.
///
/// Behaviour: nouveau `nvkm/subdev/pci/{g84,gf100}.c`, `nvkm/subdev/bios/shadowrom.c`.
public final class PpciUnit implements Unit {
    private final Runnable onRearm;
    private int romShadow;

    /// @param onRearm called for each write that re-arms MSI
    public PpciUnit(Runnable onRearm) {
        this.onRearm = onRearm;
    }

    /// Returns whether `PROM` shows the image.
    public boolean romVisible() {
        return !Ppci.ROM_SHADOW.isSet(romShadow);
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.on(Ppci.ROM_SHADOW_ENABLE, () -> romShadow, value -> romShadow = value)
                .latch(Ppci.EXP_DEV_CAP)
                .latch(Ppci.EXP_DEV_CMD_STA)
                .latch(Ppci.EXP_LNK_CMD_STA)
                .latch(Ppci.CONFIG)
                .latch(Ppci.CONFIG_LINK)
                .onWrite(Ppci.CYA_2, _ -> onRearm.run());
    }

    @Override
    public void reset() {
        romShadow = 0;
    }
}
