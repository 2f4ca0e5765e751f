package io.gpuvm.daemon;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;

/// A card as its reset leaves it: whether that is enough to work with.
///
/// It is for a GF100 in software. A real one first needs what its VBIOS has and what only drivers
/// know, of which nothing is here (`docs/hardware.md`), so it is refused before a guest relies on
/// it.
final class BareCard {
    private BareCard() {}

    /// Throws unless the card works without being brought up.
    ///
    /// @param name what errors call it
    /// @throws GpuDeviceException if it would only half work; the message says what is missing
    static void requireUsable(String name, PciIdentity identity) {
        if (identity.subsystemVendor() == Quadro6000.SUBSYSTEM_VENDOR) {
            return;
        }
        throw new GpuDeviceException(
                "%s: %04x:%04x on a board of %04x, limit=%04x (a GF100 in software): a real card cannot be brought up yet. Nobody here runs the scripts of its VBIOS, which set up its memory and clocks; gives PGRAPH the microcode that switches contexts; or looks after its power and heat (docs/hardware.md). QEMU's own vfio-pci gives all of it to one virtual machine"
                        .formatted(
                                name,
                                identity.vendor(),
                                identity.device(),
                                identity.subsystemVendor(),
                                Quadro6000.SUBSYSTEM_VENDOR));
    }
}
