package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.reg.Pmc;

/// Distinction between a register that contains all ones and a card that no longer responds. Reads
/// of a function that does not exist return all ones (PCI Local Bus Specification 3.0, section
/// 6.1), and no card has an identification of all ones.
///
/// Confined to the owner's thread.
final class CardPresence {
    private static final long NOBODY = 0xffff_ffffL;

    private final String name;
    private final RegionAccess registers;

    /// @param name name of the card in messages
    /// @param registers BAR0 of the card
    CardPresence(String name, RegionAccess registers) {
        this.name = name;
        this.registers = registers;
    }

    /// Checks the card's identification if a register reads as all ones, as every register does if
    /// the card does not respond.
    ///
    /// @param value value read
    /// @param width number of bytes read
    /// @throws GpuDeviceException if the card does not respond
    void check(long value, int width) {
        if (value == NOBODY && width == Integer.BYTES && isGone()) {
            throw new GpuDeviceException(
                    "%s: every register reads as all ones: the card was unplugged, or fell off the bus (see the kernel's log)"
                            .formatted(name));
        }
    }

    /// Returns whether the card does not respond.
    boolean isGone() {
        try {
            return registers.read(Pmc.BOOT_0.offset(), Integer.BYTES) == NOBODY;
        } catch (GpuDeviceException | InternalError _) {
            return true;
        }
    }
}
