package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.reg.Pmc;

/// Tells a register that holds all ones from a card that is not there any more: the bus answers all
/// ones for a function that nobody is (PCI Local Bus Specification 3.0, section 6.1), and no card
/// identifies itself so.
///
/// Confined to the owner's thread.
final class CardPresence {
    private static final long NOBODY = 0xffff_ffffL;

    private final String name;
    private final RegionAccess registers;

    /// @param name how errors call the card
    /// @param registers its BAR0
    CardPresence(String name, RegionAccess registers) {
        this.name = name;
        this.registers = registers;
    }

    /// Looks closer if a register reads as it does where there is no card.
    ///
    /// @param value what was read
    /// @param width of how many bytes
    /// @throws GpuDeviceException if the card is gone
    void check(long value, int width) {
        if (value == NOBODY && width == Integer.BYTES && isGone()) {
            throw new GpuDeviceException(
                    "%s: every register reads as all ones: the card was unplugged, or fell off the bus (see the kernel's log)"
                            .formatted(name));
        }
    }

    /// Whether no card answers.
    boolean isGone() {
        try {
            return registers.read(Pmc.BOOT_0.offset(), Integer.BYTES) == NOBODY;
        } catch (GpuDeviceException | InternalError _) {
            return true;
        }
    }
}
