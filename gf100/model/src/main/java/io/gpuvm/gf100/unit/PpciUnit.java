package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Ppci;

/// PPCI: the GPU's own view of its PCI function, and the switch that lets the next MSI go out.
///
/// Configuration space proper lives with whoever presents the PCI function; of the mirror in BAR0
/// only what drivers touch is here, as storage.
///
/// Behaviour: nouveau `nvkm/subdev/pci/{g84,gf100}.c`, `nvkm/subdev/bios/shadowrom.c`.
public final class PpciUnit implements Unit {
    private final Runnable onRearm;
    private int romShadow;

    /// @param onRearm called at each write that lets the next MSI go out
    public PpciUnit(Runnable onRearm) {
        this.onRearm = onRearm;
    }

    /// Whether `PROM` shows the image.
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
