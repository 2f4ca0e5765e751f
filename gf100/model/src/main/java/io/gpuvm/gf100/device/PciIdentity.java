package io.gpuvm.gf100.device;

import java.util.Map;

/// Identity of a GPU in PCI configuration space.
///
/// @param vendor PCI vendor id
/// @param device PCI device id
/// @param revision PCI revision id
/// @param classCode base class, subclass and interface, 24 bits
/// @param subsystemVendor PCI subsystem vendor id
/// @param subsystem PCI subsystem id
/// @param barBytes size of each region in bytes, a power of two; absent regions are not listed
public record PciIdentity(
        int vendor,
        int device,
        int revision,
        int classCode,
        int subsystemVendor,
        int subsystem,
        Map<Bar, Long> barBytes) {
    public PciIdentity {
        barBytes = Map.copyOf(barBytes);
        barBytes.forEach((bar, bytes) -> {
            if (Long.bitCount(bytes) != 1) {
                throw new IllegalArgumentException(
                        bar + " bytes=" + bytes + ", expected a power of two");
            }
        });
    }

    /// Returns the size of a region in bytes, 0 if the device does not have the region.
    public long bytesOf(Bar bar) {
        return barBytes.getOrDefault(bar, 0L);
    }
}
