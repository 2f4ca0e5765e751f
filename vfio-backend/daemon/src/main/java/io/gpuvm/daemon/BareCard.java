package io.gpuvm.daemon;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;

/// Refusal of cards that do not work in the state after a reset.
///
/// A software GF100 works. A physical GF100 first needs the scripts of its VBIOS and knowledge that
/// only drivers have, both of which gpuvm lacks (`docs/hardware.md`), so the backend refuses the
/// card before a guest relies on it.
final class BareCard {
    private BareCard() {}

    /// Throws unless the card works without initialization.
    ///
    /// @param name name of the card in messages
    /// @throws GpuDeviceException if the card would work only partly; the message names the missing
    ///   steps
    static void requireUsable(String name, PciIdentity identity) {
        if (identity.subsystemVendor() == Quadro6000.SUBSYSTEM_VENDOR) {
            return;
        }
        throw new GpuDeviceException(
                "%s: %04x:%04x on a board of vendor %04x, expected %04x (a software GF100): gpuvm cannot initialize a real card yet. gpuvm lacks the scripts of the VBIOS, which set up memory and clocks; the microcode with which PGRAPH switches contexts; and the control of power and temperature (docs/hardware.md). QEMU's own vfio-pci can assign the whole card to one virtual machine"
                        .formatted(
                                name,
                                identity.vendor(),
                                identity.device(),
                                identity.subsystemVendor(),
                                Quadro6000.SUBSYSTEM_VENDOR));
    }
}
