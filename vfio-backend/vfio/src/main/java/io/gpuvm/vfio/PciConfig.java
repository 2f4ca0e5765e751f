package io.gpuvm.vfio;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PciIdentity;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Configuration space of a device, as the kernel shows it: with the real ids, and a partly virtual
/// command register.
///
/// Sources of offsets and bits: PCI Local Bus Specification 3.0, sections 6.2 and 6.7; PCI Bus
/// Power Management Interface Specification 1.2, sections 3.2 and 5.4.
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

    private static final int STATUS = 0x06;
    private static final int STATUS_CAPABILITIES = 1 << 4;
    private static final int FIRST_CAPABILITY = 0x34;

    /// Length of the header, which capabilities follow.
    private static final int HEADER_BYTES = 0x40;

    /// Maximum number of capabilities, which start at multiples of 4.
    private static final int MAX_CAPABILITIES = (256 - HEADER_BYTES) / Integer.BYTES;

    private static final int CAPABILITY_ALIGNMENT = 0xfc;
    private static final int CAPABILITY_POWER = 0x01;
    private static final int POWER_CONTROL = 4;
    private static final int POWER_STATE = 0x3;
    private static final int D0 = 0;

    /// Maximum duration of a function's transition from D3hot to D0.
    private static final long WAKE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int COMMAND_MEMORY = 1 << 1;
    private static final int COMMAND_MASTER = 1 << 2;
    private static final int COMMAND_INTX_DISABLE = 1 << 10;

    /// Access to the configuration space.
    interface Space {
        /// Reads 1, 2 or 4 bytes.
        long read(int offset, int width);

        /// Writes the low 1, 2 or 4 bytes of a value.
        void write(int offset, int width, long value);
    }

    private final String name;
    private final Space space;

    /// @param name name of the device in messages
    PciConfig(String name, Space space) {
        this.name = name;
        this.space = space;
    }

    /// Returns the configuration space of a VFIO device.
    static PciConfig of(KernelFile device) {
        long start = VfioRegion.of(device, VfioRegion.CONFIG).fileOffset();
        return new PciConfig(
                device.name(),
                new Space() {
                    @Override
                    public long read(int offset, int width) {
                        return device.read(start + offset, width);
                    }

                    @Override
                    public void write(int offset, int width, long value) {
                        device.write(start + offset, width, value);
                    }
                });
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

    /// Returns the command register.
    int command() {
        return (int) read(COMMAND, WORD);
    }

    void command(int value) {
        space.write(COMMAND, WORD, value);
    }

    /// Ensures that the device is awake. The kernel wakes the device when it is opened, and lets it
    /// sleep again only after it is closed. The state left by an earlier owner or the firmware is
    /// unknown, however.
    ///
    /// @throws GpuDeviceException if the device does not wake
    void wake() {
        int capability = capability(CAPABILITY_POWER);
        if (capability == 0) {
            return; // the device has no other power state
        }
        int control = capability + POWER_CONTROL;
        int before = (int) read(control, WORD);
        if ((before & POWER_STATE) == D0) {
            return;
        }
        space.write(control, WORD, before & ~POWER_STATE | D0);
        LockSupport.parkNanos(WAKE_NS);
        int after = (int) read(control, WORD);
        if ((after & POWER_STATE) != D0) {
            throw new GpuDeviceException(
                    "%s: power state=D%d, expected D0: the device does not wake; power-cycle the host or the slot"
                            .formatted(name, after & POWER_STATE));
        }
    }

    /// Returns the offset of a capability, 0 if the device has none of this kind.
    private int capability(int id) {
        if ((read(STATUS, WORD) & STATUS_CAPABILITIES) == 0) {
            return 0;
        }
        int at = (int) read(FIRST_CAPABILITY, Byte.BYTES) & CAPABILITY_ALIGNMENT;
        for (int i = 0; i < MAX_CAPABILITIES && at >= HEADER_BYTES; i++) {
            if (read(at, Byte.BYTES) == id) {
                return at;
            }
            at = (int) read(at + 1, Byte.BYTES) & CAPABILITY_ALIGNMENT;
        }
        return 0;
    }

    /// Enables the device to respond to accesses (memory space) and to initiate accesses (bus
    /// master).
    void enable() {
        command(command() | COMMAND_MEMORY | COMMAND_MASTER);
    }

    /// Returns whether the device's interrupt pin is disabled.
    boolean intxDisabled() {
        return (command() & COMMAND_INTX_DISABLE) != 0;
    }

    /// Disables or enables the interrupt pin. The kernel preserves this setting even while no
    /// eventfd is connected to the interrupt (`vfio_pci_config.c`, "Emulate INTx disable").
    void disableIntx(boolean disable) {
        int command = command();
        command(disable ? command | COMMAND_INTX_DISABLE : command & ~COMMAND_INTX_DISABLE);
    }

    private long read(int offset, int width) {
        return space.read(offset, width);
    }
}
