package io.gpuvm.pv.host.pci;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.pv.host.FunctionAcceptor;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.trap.pci.BaseAddress;
import io.gpuvm.trap.pci.PciConfigSpace;
import io.gpuvm.trap.vfiouser.Irq;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.trap.vfiouser.VfioUserDevice;
import java.util.List;
import java.util.Map;

/// PCI function of one virtual machine whose programs are paravirtual guests: registers
/// ([FunctionRegisters]), the shared area, which the VMM maps, and an MSI that wakes the guest. The
/// interrupt pin is never used, and the function never accesses the machine's memory.
///
/// Confined to the thread of its vfio-user server.
public final class PvFunction implements VfioUserDevice {
    private static final int CONFIG = 7;
    private static final int NO_DESCRIPTOR = -1;

    private static final PciIdentity IDENTITY =
            new PciIdentity(
                    FunctionRegisters.VENDOR_ID,
                    FunctionRegisters.DEVICE_ID,
                    AreaHeader.VERSION,
                    FunctionRegisters.CLASS_CODE,
                    FunctionRegisters.VENDOR_ID,
                    FunctionRegisters.DEVICE_ID,
                    Map.of());

    private final FunctionAcceptor acceptor;
    private final PciConfigSpace config;
    private final long areaBytes;

    /// Length in bytes of the BAR that contains the area.
    private final long barBytes;

    private int descriptor = NO_DESCRIPTOR;

    /// @param acceptor acceptor of the function's guests
    public PvFunction(FunctionAcceptor acceptor) {
        this.acceptor = acceptor;
        areaBytes = acceptor.areaBytes();
        barBytes = Long.highestOneBit(areaBytes - 1) << 1;
        config =
                new PciConfigSpace(
                        IDENTITY,
                        List.of(
                                new BaseAddress(
                                        FunctionRegisters.REGISTER_BAR,
                                        BaseAddress.Kind.MEMORY_32,
                                        FunctionRegisters.BYTES),
                                new BaseAddress(
                                        FunctionRegisters.AREA_BAR,
                                        BaseAddress.Kind.MEMORY_64_PREFETCHABLE,
                                        barBytes)));
    }

    @Override
    public void connected() {
        descriptor = acceptor.connect();
    }

    @Override
    public Region region(int index) {
        return switch (index) {
            case FunctionRegisters.REGISTER_BAR -> Region.trapped(FunctionRegisters.BYTES, true);
            case FunctionRegisters.AREA_BAR -> areaRegion();
            case CONFIG -> Region.trapped(PciConfigSpace.BYTES, true);
            default -> Region.ABSENT;
        };
    }

    /// Returns the region of the area's BAR. Addresses beyond the area read as zeros.
    private Region areaRegion() {
        return descriptor == NO_DESCRIPTOR
                ? Region.trapped(barBytes, true)
                : new Region(barBytes, true, descriptor, 0, List.of(new Region.Area(0, areaBytes)));
    }

    @Override
    public long read(int region, long offset, int width) {
        return switch (region) {
            case FunctionRegisters.REGISTER_BAR ->
                    width == Integer.BYTES ? Integer.toUnsignedLong(register((int) offset)) : 0;
            case CONFIG -> config.read((int) offset, width);
            default -> 0;
        };
    }

    @Override
    public void write(int region, long offset, int width, long value) {
        switch (region) {
            case FunctionRegisters.REGISTER_BAR -> {
                if (width == Integer.BYTES) {
                    writeRegister((int) offset, (int) value);
                }
            }
            case CONFIG -> {
                if (config.write((int) offset, width, value)) {
                    reset();
                }
            }
            default -> {
                // The area is accessible only through a mapping.
            }
        }
    }

    private int register(int offset) {
        return switch (offset) {
            case FunctionRegisters.MAGIC -> FunctionRegisters.MAGIC_VALUE;
            case FunctionRegisters.VERSION -> AreaHeader.VERSION;
            case FunctionRegisters.AREA_LO -> (int) areaBytes;
            case FunctionRegisters.AREA_HI -> (int) (areaBytes >>> Integer.SIZE);
            case FunctionRegisters.SESSION -> acceptor.sessions();
            case FunctionRegisters.STATE -> acceptor.state().code();
            default -> 0;
        };
    }

    private void writeRegister(int offset, int value) {
        if (offset == FunctionRegisters.DOORBELL) {
            acceptor.ring();
        } else if (offset == FunctionRegisters.CONTROL) {
            switch (value) {
                case FunctionRegisters.BEGIN -> acceptor.begin();
                case FunctionRegisters.END -> acceptor.end();
                default -> {
                    // Unknown commands are ignored.
                }
            }
        }
    }

    @Override
    public TrapRegion trapRegion(int region, long offset) {
        return switch (region) {
            case FunctionRegisters.REGISTER_BAR -> TrapRegion.BAR0;
            case CONFIG -> TrapRegion.CONFIG;
            default -> TrapRegion.BAR2;
        };
    }

    @Override
    public int vectors(Irq irq) {
        return irq == Irq.MSIX ? 0 : 1;
    }

    @Override
    public void connectInterrupt(Irq irq, int vector, int eventDescriptor) {
        if (irq == Irq.MSI) {
            acceptor.interrupt(eventDescriptor);
        }
    }

    @Override
    public void disconnectInterrupt(Irq irq, int vector) {
        if (irq == Irq.MSI) {
            acceptor.interrupt(FunctionAcceptor.NO_EVENT);
        }
    }

    /// Does nothing: the pin is never used.
    @Override
    public void maskInterrupt() {}

    /// Does nothing: the pin is never used.
    @Override
    public void unmaskInterrupt() {}

    /// Returns false, regardless of the command register: the function does not access the
    /// machine's memory.
    @Override
    public boolean busMaster() {
        return false;
    }

    @Override
    public boolean isOwnRange(long guestPhys, long bytes) {
        return config.decodes(guestPhys, bytes);
    }

    /// Never called, because the function is not a bus master.
    @Override
    public void mapDma(DmaMapping mapping) {
        throw new UnsupportedOperationException("function is not a bus master: " + mapping);
    }

    @Override
    public void unmapDma(long iova, long bytes) {}

    @Override
    public void reset() {
        config.reset();
        acceptor.end();
    }

    @Override
    public void disconnected() {
        descriptor = NO_DESCRIPTOR;
        config.reset();
        acceptor.disconnect();
    }
}
