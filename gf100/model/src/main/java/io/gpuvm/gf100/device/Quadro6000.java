package io.gpuvm.gf100.device;

/// Ids that drivers read: the ids of a Quadro 6000 on a fictitious board.
///
/// Sources: pci-ids (`pci.ids`, 10de:06d8; NVIDIA's own boards are subsystem 10de:076f); nouveau's
/// id table accepts any display class of this vendor, on any board (`nouveau_drm.c`).
public final class Quadro6000 {
    public static final int VENDOR = 0x10de;
    public static final int DEVICE = 0x06d8;
    public static final int REVISION = 0xa3;

    /// VGA controller.
    public static final int CLASS_CODE = 0x030000;

    /// Marks a software GPU, or a share of a GPU: no board vendor has this id. Such a GPU is usable
    /// immediately after a reset, unlike hardware.
    public static final int SUBSYSTEM_VENDOR = 0x7067;

    public static final int SUBSYSTEM = 0x0001;

    private Quadro6000() {}
}
