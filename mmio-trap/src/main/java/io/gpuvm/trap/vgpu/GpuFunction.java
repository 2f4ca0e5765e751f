package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterRange;
import io.gpuvm.trap.pci.PciConfigSpace;
import io.gpuvm.trap.vfiouser.Irq;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.trap.vfiouser.VfioUserDevice;
import java.util.List;

/// GPU as the PCI function of one guest. The function receives every trapped access of the guest,
/// and the GPU's interrupt signals the guest's eventfd directly. In pass-through, the GPU is a
/// whole GPU, without checks and shadows; otherwise, it is a [VirtualGpu].
///
/// Confined to the thread of its server, which thereby owns the [GpuDevice].
public final class GpuFunction implements VfioUserDevice {
    private static final int BAR0 = 0;
    private static final int BAR1 = 1;
    private static final int BAR3 = 3;
    private static final int BAR5 = 5;
    private static final int ROM = 6;
    private static final int CONFIG = 7;

    private static final int NO_EVENT = -1;

    private final GpuDevice gpu;
    private final MappableBars mappable;
    private final PciConfigSpace config;
    private int intxEvent = NO_EVENT;
    private int msiEvent = NO_EVENT;

    /// True while the client masks the pin; the guest can also mask it, with the command register.
    private boolean intxMasked;

    /// @param gpu GPU in power-on state; closed by the caller
    /// @param mappable parts of the GPU that the guest's VMM may map
    public GpuFunction(GpuDevice gpu, MappableBars mappable) {
        this.gpu = gpu;
        this.mappable = mappable;
        this.config = new PciConfigSpace(gpu.identity());
    }

    @Override
    public void connected() {
        mappable.open();
    }

    @Override
    public Region region(int index) {
        PciIdentity identity = gpu.identity();
        return switch (index) {
            case BAR0 -> mappable.region(Bar.BAR0, identity.bytesOf(Bar.BAR0));
            case BAR1 -> mappable.region(Bar.BAR1, identity.bytesOf(Bar.BAR1));
            case BAR3 -> mappable.region(Bar.BAR3, identity.bytesOf(Bar.BAR3));
            case BAR5 -> Region.trapped(identity.bytesOf(Bar.BAR5), true);
            case ROM -> Region.trapped(identity.bytesOf(Bar.ROM), false);
            case CONFIG -> Region.trapped(PciConfigSpace.BYTES, true);
            default -> Region.ABSENT;
        };
    }

    @Override
    public long read(int region, long offset, int width) {
        return region == CONFIG
                ? readConfig((int) offset, width)
                : gpu.read(bar(region), offset, width);
    }

    @Override
    public void write(int region, long offset, int width, long value) {
        if (region == CONFIG) {
            writeConfig((int) offset, width, value);
        } else {
            gpu.write(bar(region), offset, width, value);
        }
    }

    @Override
    public TrapRegion trapRegion(int region, long offset) {
        return switch (region) {
            case BAR0 -> bar0Region(offset);
            case BAR1 -> TrapRegion.BAR1;
            case BAR3 -> TrapRegion.BAR3;
            case BAR5 -> TrapRegion.BAR5;
            case ROM -> TrapRegion.ROM;
            default -> TrapRegion.CONFIG;
        };
    }

    @Override
    public int vectors(Irq irq) {
        return irq == Irq.MSIX ? 0 : 1;
    }

    @Override
    public void connectInterrupt(Irq irq, int vector, int eventDescriptor) {
        int intxBefore = intxEvent;
        int msiBefore = msiEvent;
        switch (irq) {
            case INTX -> intxEvent = eventDescriptor;
            case MSI -> msiEvent = eventDescriptor;
            default -> {
                return; // This device never signals errors or requests.
            }
        }
        try {
            connect();
        } catch (RuntimeException | Error e) {
            // The server closes the descriptor, whose number may soon belong to another file.
            intxEvent = intxBefore;
            msiEvent = msiBefore;
            throw e;
        }
    }

    @Override
    public void disconnectInterrupt(Irq irq, int vector) {
        switch (irq) {
            case INTX -> {
                intxEvent = NO_EVENT;
                intxMasked = false;
            }
            case MSI -> msiEvent = NO_EVENT;
            default -> {
                return;
            }
        }
        connect();
    }

    @Override
    public void maskInterrupt() {
        intxMasked = true;
        applyIntxMask();
    }

    @Override
    public void unmaskInterrupt() {
        intxMasked = false;
        applyIntxMask();
    }

    @Override
    public boolean busMaster() {
        return config.busMaster();
    }

    @Override
    public boolean isOwnRange(long guestPhys, long bytes) {
        return config.decodes(guestPhys, bytes);
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        gpu.mapDma(mapping);
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        gpu.mapDma(mappings, refusals);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        gpu.unmapDma(iova, bytes);
    }

    @Override
    public void unmapDma(List<DmaRange> ranges) {
        gpu.unmapDma(ranges);
    }

    @Override
    public void reset() {
        config.reset();
        gpu.reset();
        applyIntxMask();
    }

    /// Closes the windows first, so that the reset also clears everything that the client, or a
    /// process that shares its mappings, has written to VRAM by then.
    @Override
    public void disconnected() {
        try {
            mappable.close();
        } finally {
            reset();
        }
    }

    private long readConfig(int offset, int width) {
        if (config.showsInterrupt(offset, width)) {
            config.interruptPending(asksForInterrupt());
        }
        return config.read(offset, width);
    }

    /// Returns the level of the GPU's interrupt, from registers whose reads have no side effect.
    private boolean asksForInterrupt() {
        return Pmc.INTR_EN_HARDWARE.isSet(register(Pmc.INTR_EN_HOST))
                && (register(Pmc.INTR_HOST) & register(Pmc.INTR_MASK_HOST)) != 0;
    }

    private int register(Register register) {
        return (int) gpu.read(Bar.BAR0, register.offset(), Register.BYTES);
    }

    private void writeConfig(int offset, int width, long value) {
        boolean intxWasDisabled = config.intxDisabled();
        if (config.write(offset, width, value)) {
            reset();
        } else if (config.intxDisabled() != intxWasDisabled) {
            applyIntxMask();
        }
    }

    /// Connects the interrupt. A function with MSI enabled does not use its pin. A connection is
    /// replaced rather than removed and added again, so that no interrupt is lost.
    private void connect() {
        if (msiEvent != NO_EVENT) {
            gpu.connectInterrupt(InterruptKind.MSI, msiEvent);
        } else if (intxEvent != NO_EVENT) {
            applyIntxMask();
            gpu.connectInterrupt(InterruptKind.INTX, intxEvent);
        } else {
            gpu.disconnectInterrupt();
        }
    }

    private void applyIntxMask() {
        if (intxMasked || config.intxDisabled()) {
            gpu.maskInterrupt();
        } else {
            gpu.unmaskInterrupt();
        }
    }

    private static Bar bar(int region) {
        return switch (region) {
            case BAR0 -> Bar.BAR0;
            case BAR1 -> Bar.BAR1;
            case BAR3 -> Bar.BAR3;
            case BAR5 -> Bar.BAR5;
            default -> Bar.ROM;
        };
    }

    private static TrapRegion bar0Region(long offset) {
        if (liesIn(Pramin.WINDOW, offset)) {
            return TrapRegion.PRAMIN;
        }
        return liesIn(Prom.WINDOW, offset) ? TrapRegion.PROM : TrapRegion.BAR0;
    }

    private static boolean liesIn(RegisterRange range, long offset) {
        return offset >= range.first() && offset < range.end();
    }
}
