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

/// PCI function of one virtual machine whose programs are paravirtual guests: a page of registers
/// ([FunctionRegisters]) for each session, the shared areas, which the VMM maps, and an MSI that
/// wakes the guests. The interrupt pin is never used, and the function never accesses the machine's
/// memory.
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

    /// Length in bytes of the BAR that contains the registers.
    private final long registerBytes;

    /// Length in bytes of all areas together.
    private final long areasBytes;

    /// Length in bytes of the BAR that contains the areas.
    private final long barBytes;

    private int descriptor = NO_DESCRIPTOR;

    /// @param acceptor acceptor of the function's guests
    public PvFunction(FunctionAcceptor acceptor) {
        this.acceptor = acceptor;
        registerBytes = powerOfTwo((long) acceptor.sessions() * FunctionRegisters.PAGE_BYTES);
        areasBytes = acceptor.areaStart(acceptor.sessions());
        barBytes = powerOfTwo(areasBytes);
        config =
                new PciConfigSpace(
                        IDENTITY,
                        List.of(
                                new BaseAddress(
                                        FunctionRegisters.REGISTER_BAR,
                                        BaseAddress.Kind.MEMORY_32,
                                        registerBytes),
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
            case FunctionRegisters.REGISTER_BAR -> Region.trapped(registerBytes, true);
            case FunctionRegisters.AREA_BAR -> areaRegion();
            case CONFIG -> Region.trapped(PciConfigSpace.BYTES, true);
            default -> Region.ABSENT;
        };
    }

    /// Returns the region of the areas' BAR. Addresses beyond the areas read as zeros.
    private Region areaRegion() {
        return descriptor == NO_DESCRIPTOR
                ? Region.trapped(barBytes, true)
                : new Region(
                        barBytes, true, descriptor, 0, List.of(new Region.Area(0, areasBytes)));
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
                // The areas are accessible only through a mapping.
            }
        }
    }

    private int register(int offset) {
        int session = offset / FunctionRegisters.PAGE_BYTES;
        if (session >= acceptor.sessions()) {
            return 0;
        }
        long bytes = acceptor.areaBytes();
        long start = acceptor.areaStart(session);
        return switch (offset % FunctionRegisters.PAGE_BYTES) {
            case FunctionRegisters.MAGIC -> acceptor.protocol().functionMagic();
            case FunctionRegisters.VERSION -> AreaHeader.VERSION;
            case FunctionRegisters.AREA_LO -> (int) bytes;
            case FunctionRegisters.AREA_HI -> (int) (bytes >>> Integer.SIZE);
            case FunctionRegisters.SESSION -> acceptor.begun(session);
            case FunctionRegisters.STATE -> acceptor.state(session).code();
            case FunctionRegisters.SESSIONS -> acceptor.sessions();
            case FunctionRegisters.START_LO -> (int) start;
            case FunctionRegisters.START_HI -> (int) (start >>> Integer.SIZE);
            default -> 0;
        };
    }

    private void writeRegister(int offset, int value) {
        int session = offset / FunctionRegisters.PAGE_BYTES;
        if (session >= acceptor.sessions()) {
            return;
        }
        switch (offset % FunctionRegisters.PAGE_BYTES) {
            case FunctionRegisters.DOORBELL -> acceptor.ring(session);
            case FunctionRegisters.CONTROL -> control(session, value);
            default -> {
                // All other registers are read-only.
            }
        }
    }

    private void control(int session, int value) {
        switch (value) {
            case FunctionRegisters.BEGIN -> acceptor.begin(session);
            case FunctionRegisters.END -> acceptor.end(session);
            default -> {
                // Unknown commands are ignored.
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
        acceptor.endAll();
    }

    @Override
    public void disconnected() {
        descriptor = NO_DESCRIPTOR;
        config.reset();
        acceptor.disconnect();
    }

    /// Returns the smallest power of two that is not less than a length.
    private static long powerOfTwo(long bytes) {
        return Long.highestOneBit(bytes - 1) << 1;
    }
}
