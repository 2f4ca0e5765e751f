package io.gpuvm.gf100.device;

/// The ids of one board with a GF100, the Quadro 6000.
///
/// Sources: pci-ids (`pci.ids`, 10de:06d8, subsystem 10de:076f); nouveau's id table takes any
/// display class of this vendor (`nouveau_drm.c`).
public final class Quadro6000 {
    public static final int VENDOR = 0x10de;
    public static final int DEVICE = 0x06d8;
    public static final int REVISION = 0xa3;

    /// A VGA controller.
    public static final int CLASS_CODE = 0x030000;

    public static final int SUBSYSTEM_VENDOR = 0x10de;
    public static final int SUBSYSTEM = 0x076f;

    private Quadro6000() {}
}
