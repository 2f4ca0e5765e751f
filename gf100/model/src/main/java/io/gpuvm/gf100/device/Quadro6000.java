package io.gpuvm.gf100.device;

/// The ids of the card that drivers are shown: a Quadro 6000, on a board that nobody makes.
///
/// Sources: pci-ids (`pci.ids`, 10de:06d8; NVIDIA's own boards are subsystem 10de:076f); nouveau's
/// id table takes any display class of this vendor, whatever the board (`nouveau_drm.c`).
public final class Quadro6000 {
    public static final int VENDOR = 0x10de;
    public static final int DEVICE = 0x06d8;
    public static final int REVISION = 0xa3;

    /// A VGA controller.
    public static final int CLASS_CODE = 0x030000;

    /// Says that the GPU is software, or a part of one that is shared: no vendor of boards has this
    /// id. Such a GPU works as soon as it has been reset, which a real one does not.
    public static final int SUBSYSTEM_VENDOR = 0x7067;

    public static final int SUBSYSTEM = 0x0001;

    private Quadro6000() {}
}
