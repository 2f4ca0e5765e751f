package io.gpuvm.gf100.device;

/// The regions of a GF100's PCI function.
///
/// 64-bit BARs take two indexes of PCI configuration space, so the second one's number is missing.
public enum Bar {
    /// Registers: 32 bit, not prefetchable.
    BAR0(0),
    /// Aperture to VRAM and system memory through the GPU's page tables: 64 bit, prefetchable.
    BAR1(1),
    /// Aperture for instance memory, through page tables of its own: 64 bit, prefetchable.
    BAR3(3),
    /// I/O ports: 128 bytes that no driver of interest uses.
    BAR5(5),
    /// Expansion ROM: the VBIOS image, read only.
    ROM(6);

    private final int index;

    Bar(int index) {
        this.index = index;
    }

    /// The region's number as VFIO counts regions (`VFIO_PCI_BAR0_REGION_INDEX` and so on).
    public int index() {
        return index;
    }
}
