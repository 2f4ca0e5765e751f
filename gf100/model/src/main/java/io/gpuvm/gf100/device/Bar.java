package io.gpuvm.gf100.device;

/// Regions of a GF100's PCI function.
///
/// A 64-bit BAR occupies two indexes of PCI configuration space, so this list omits its second
/// index.
public enum Bar {
    /// Registers: 32-bit, not prefetchable.
    BAR0(0),
    /// Aperture to VRAM and system memory through the GPU's page tables: 64-bit, prefetchable.
    BAR1(1),
    /// Aperture for instance memory, through separate page tables: 64-bit, prefetchable.
    BAR3(3),
    /// I/O ports: 128 bytes that no relevant driver uses.
    BAR5(5),
    /// Expansion ROM: the VBIOS image, read-only.
    ROM(6);

    private final int index;

    Bar(int index) {
        this.index = index;
    }

    /// Returns the region's number in VFIO (`VFIO_PCI_BAR0_REGION_INDEX` and so on).
    public int index() {
        return index;
    }
}
