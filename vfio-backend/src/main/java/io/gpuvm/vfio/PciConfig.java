package io.gpuvm.vfio;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import java.util.Map;

/// The configuration space of a device, as the kernel shows it: ids as they are, the command
/// register partly virtual.
///
/// Source of offsets and bits: PCI Local Bus Specification 3.0, section 6.2.
final class PciConfig {
    private static final int VENDOR = 0x00;
    private static final int DEVICE = 0x02;
    private static final int COMMAND = 0x04;
    private static final int REVISION = 0x08;
    private static final int CLASS = 0x09;
    private static final int CLASS_BYTES = 3;
    private static final int SUBSYSTEM_VENDOR = 0x2c;
    private static final int SUBSYSTEM = 0x2e;
    private static final int WORD = Short.BYTES;

    private static final int COMMAND_MEMORY = 1 << 1;
    private static final int COMMAND_MASTER = 1 << 2;
    private static final int COMMAND_INTX_DISABLE = 1 << 10;

    private final KernelFile device;
    private final VfioRegion region;

    PciConfig(KernelFile device, VfioRegion region) {
        this.device = device;
        this.region = region;
    }

    PciIdentity identity(Map<Bar, Long> barBytes) {
        int classCode = 0;
        for (int i = 0; i < CLASS_BYTES; i++) {
            classCode |= (int) read(CLASS + i, Byte.BYTES) << i * Byte.SIZE;
        }
        return new PciIdentity(
                (int) read(VENDOR, WORD),
                (int) read(DEVICE, WORD),
                (int) read(REVISION, Byte.BYTES),
                classCode,
                (int) read(SUBSYSTEM_VENDOR, WORD),
                (int) read(SUBSYSTEM, WORD),
                barBytes);
    }

    /// The command register.
    int command() {
        return (int) read(COMMAND, WORD);
    }

    void command(int value) {
        device.write(region.fileOffset() + COMMAND, WORD, value);
    }

    /// Lets the device answer accesses and make its own.
    void enable() {
        command(command() | COMMAND_MEMORY | COMMAND_MASTER);
    }

    /// Whether the device's interrupt pin is held back.
    boolean intxDisabled() {
        return (command() & COMMAND_INTX_DISABLE) != 0;
    }

    /// Holds the pin back or lets it go. The kernel remembers this also while nothing is connected
    /// to the interrupt (`vfio_pci_config.c`, "Emulate INTx disable").
    void disableIntx(boolean disable) {
        int command = command();
        command(disable ? command | COMMAND_INTX_DISABLE : command & ~COMMAND_INTX_DISABLE);
    }

    private long read(int offset, int width) {
        return device.read(region.fileOffset() + offset, width);
    }
}
