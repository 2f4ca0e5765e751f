package io.gpuvm.trap.pci;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Configuration space of a PCI function, 4 KiB: a type 0 header, power management, MSI and PCI
/// Express, at the offsets of a GF100.
///
/// Writes change only the bits that a driver may change. A write that requests a reset of the
/// function does not perform it: [#write] reports the request, and the caller resets the device and
/// calls [#reset()].
public final class PciConfigSpace {
    /// Length of the space.
    public static final int BYTES = 4096;

    private static final int VENDOR_ID = 0x00;
    private static final int DEVICE_ID = 0x02;
    private static final int COMMAND = 0x04;
    private static final int COMMAND_MEMORY = 0x0002;
    private static final int COMMAND_MASTER = 0x0004;
    private static final int COMMAND_INTX_DISABLE = 0x0400;

    /// Writable bits: I/O, memory, master, parity, SERR, INTx-disable. The other bits have no
    /// meaning on PCI Express.
    private static final int COMMAND_MASK = 0x0547;

    private static final int STATUS = 0x06;
    private static final int STATUS_INTERRUPT = 0x0008;
    private static final int STATUS_CAPABILITIES = 0x0010;
    private static final int REVISION_AND_CLASS = 0x08;
    private static final int CACHE_LINE_SIZE = 0x0c;
    private static final int BASE_ADDRESS_0 = 0x10;
    private static final long BASE_ADDRESS_FLAGS = 0xf;
    private static final int SUBSYSTEM_VENDOR_ID = 0x2c;
    private static final int SUBSYSTEM_ID = 0x2e;
    private static final int ROM_ADDRESS = 0x30;
    private static final int ROM_ADDRESS_ENABLE = 0x1;
    private static final int CAPABILITY_LIST = 0x34;
    private static final int INTERRUPT_LINE = 0x3c;
    private static final int INTERRUPT_PIN = 0x3d;
    private static final int INTERRUPT_PIN_A = 1;
    private static final int BYTE_MASK = 0xff;

    // Offsets on boards with a GF100.
    private static final int PM_CAPABILITY = 0x60;
    private static final int MSI_CAPABILITY = 0x68;
    private static final int PCIE_CAPABILITY = 0x78;

    private final PciIdentity identity;
    private final List<BaseAddress> baseAddresses;
    private final ConfigBytes bytes = new ConfigBytes(BYTES);
    private final TreeMap<Integer, PciCapability> capabilities =
            new TreeMap<>(
                    Map.of(
                            PM_CAPABILITY, new PmCapability(),
                            MSI_CAPABILITY, new MsiCapability(),
                            PCIE_CAPABILITY, new PcieCapability()));

    /// Creates the space of a GPU in power-on state.
    public PciConfigSpace(PciIdentity identity) {
        this(identity, gpuBaseAddresses(identity));
    }

    /// Creates the space of a PCI function in power-on state.
    ///
    /// @param identity ids of the function, and the length of its ROM
    /// @param baseAddresses BARs of the function, in place of a GPU's
    public PciConfigSpace(PciIdentity identity, List<BaseAddress> baseAddresses) {
        this.identity = identity;
        this.baseAddresses = List.copyOf(baseAddresses);
        defineHeader();
        defineBaseAddresses();
        defineCapabilities();
    }

    /// Reads 1, 2, 4 or 8 bytes that lie in the space.
    public long read(int offset, int width) {
        return bytes.get(offset, width);
    }

    /// Writes 1, 2, 4 or 8 bytes that lie in the space.
    ///
    /// @return whether the write requests a reset of the function: a function-level reset, or the
    ///   transition from D3hot to D0
    public boolean write(int offset, int width, long value) {
        bytes.write(offset, width, value);
        boolean reset = false;
        for (var capability : capabilities.headMap(offset + width).entrySet()) {
            reset |= capability.getValue().onWrite(bytes, capability.getKey());
        }
        return reset;
    }

    /// Restores the values after power-on.
    public void reset() {
        bytes.reset();
        capabilities.forEach((start, capability) -> capability.onWrite(bytes, start));
    }

    /// Returns whether the function may access memory.
    public boolean busMaster() {
        return (command() & COMMAND_MASTER) != 0;
    }

    /// Returns whether the interrupt pin is disabled.
    public boolean intxDisabled() {
        return (command() & COMMAND_INTX_DISABLE) != 0;
    }

    /// Returns whether a read shows the value of [#interruptPending].
    public boolean showsInterrupt(int offset, int width) {
        return offset <= STATUS && offset + width > STATUS;
    }

    /// Sets the status bit for a pending interrupt, which is valid even while the pin is disabled:
    /// drivers that share an interrupt line identify the source by this bit.
    public void interruptPending(boolean pending) {
        int status = STATUS_CAPABILITIES | (pending ? STATUS_INTERRUPT : 0);
        bytes.set(STATUS, Short.BYTES, status);
    }

    /// Returns whether a range of bus addresses lies in one of the function's memory BARs at their
    /// current addresses.
    public boolean decodes(long busAddress, long length) {
        if ((command() & COMMAND_MEMORY) == 0) {
            return false;
        }
        for (BaseAddress bar : baseAddresses) {
            if (bar.isMemory() && liesIn(bar, busAddress, length)) {
                return true;
            }
        }
        return false;
    }

    private boolean liesIn(BaseAddress bar, long busAddress, long length) {
        long start = bytes.get(offsetOf(bar), bar.width()) & ~BASE_ADDRESS_FLAGS;
        long offset = busAddress - start;
        return offset >= 0 && length > 0 && length <= bar.bytes() - offset;
    }

    private int command() {
        return (int) bytes.get(COMMAND, Short.BYTES);
    }

    private void defineHeader() {
        bytes.define(VENDOR_ID, Short.BYTES, identity.vendor(), 0);
        bytes.define(DEVICE_ID, Short.BYTES, identity.device(), 0);
        bytes.define(COMMAND, Short.BYTES, 0, COMMAND_MASK);
        bytes.define(STATUS, Short.BYTES, STATUS_CAPABILITIES, 0);
        int revisionAndClass = identity.classCode() << Byte.SIZE | identity.revision();
        bytes.define(REVISION_AND_CLASS, Integer.BYTES, revisionAndClass, 0);
        bytes.define(CACHE_LINE_SIZE, Byte.BYTES, 0, BYTE_MASK);
        bytes.define(SUBSYSTEM_VENDOR_ID, Short.BYTES, identity.subsystemVendor(), 0);
        bytes.define(SUBSYSTEM_ID, Short.BYTES, identity.subsystem(), 0);
        bytes.define(INTERRUPT_LINE, Byte.BYTES, 0, BYTE_MASK);
        bytes.define(INTERRUPT_PIN, Byte.BYTES, INTERRUPT_PIN_A, 0);
    }

    private void defineBaseAddresses() {
        baseAddresses.forEach(this::defineBaseAddress);
        int romBytes = (int) identity.bytesOf(Bar.ROM);
        if (romBytes != 0) {
            bytes.define(ROM_ADDRESS, Integer.BYTES, 0, -romBytes | ROM_ADDRESS_ENABLE);
        }
    }

    /// Defines a BAR. The address bits below the size are fixed at zero; a driver derives the size
    /// from them.
    private void defineBaseAddress(BaseAddress bar) {
        long mask = -bar.bytes();
        int offset = offsetOf(bar);
        bytes.define(offset, Integer.BYTES, bar.flags(), (int) mask);
        if (bar.width() == Long.BYTES) {
            bytes.define(offset + Integer.BYTES, Integer.BYTES, 0, (int) (mask >>> Integer.SIZE));
        }
    }

    private void defineCapabilities() {
        int link = CAPABILITY_LIST;
        for (Map.Entry<Integer, PciCapability> entry : capabilities.entrySet()) {
            int start = entry.getKey();
            bytes.define(link, Byte.BYTES, start, 0);
            bytes.define(start, Byte.BYTES, entry.getValue().id(), 0);
            entry.getValue().define(bytes, start);
            link = start + 1;
        }
    }

    private static List<BaseAddress> gpuBaseAddresses(PciIdentity identity) {
        List<BaseAddress> present = new ArrayList<>();
        add(present, identity, Bar.BAR0, BaseAddress.Kind.MEMORY_32);
        add(present, identity, Bar.BAR1, BaseAddress.Kind.MEMORY_64_PREFETCHABLE);
        add(present, identity, Bar.BAR3, BaseAddress.Kind.MEMORY_64_PREFETCHABLE);
        add(present, identity, Bar.BAR5, BaseAddress.Kind.IO);
        return present;
    }

    private static void add(
            List<BaseAddress> present, PciIdentity identity, Bar bar, BaseAddress.Kind kind) {
        long size = identity.bytesOf(bar);
        if (size != 0) {
            present.add(new BaseAddress(bar.index(), kind, size));
        }
    }

    private static int offsetOf(BaseAddress bar) {
        return BASE_ADDRESS_0 + bar.index() * Integer.BYTES;
    }
}
