package io.gpuvm.vfio;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.driver.BarSpaces;
import io.gpuvm.gf100.driver.InstalledVram;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.linux.Errno;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// A GF100 behind the kernel's vfio-pci driver.
///
/// Registers and BARs are mapped, so an access is a load or a store. Windows to VRAM are slices of
/// BAR1. The kernel signals interrupts on the eventfd directly.
///
/// **Threads.** All methods belong to the owner's thread, but any thread may access the memory of
/// windows and exports. The kernel unmaps that memory while it resets the device: a thread that
/// accesses it during the reset waits in the kernel until the reset has finished, and may then
/// access a register or a window before [#reset()] has set it up again.
public final class VfioGpu implements PhysicalGpu {
    private final VfioDevice device;
    private final PciConfig config;
    private final int commandAsFound;
    private final Map<Bar, RegionAccess> regions;
    private final PciIdentity identity;
    private final long vramBytes;
    private final CardPresence presence;
    private final IovaPlan iovas;
    private final DmaTable dma;
    private final VfioTableMemory ownMemory;
    private final BarSpaces barSpaces;
    private final VfioIrq intx;
    private final VfioIrq msi;
    private final CardWatch watch;
    private InterruptKind connected;
    private boolean closed;

    /// Opens the card for exclusive use. The card is reset first, because an earlier owner may have
    /// left it in any state.
    ///
    /// @throws GpuDeviceException if the card is absent, not bound to vfio-pci, not behind an
    ///   IOMMU, in use, permanently asleep, not a GF100, or cannot be reset; the message names the
    ///   remedy
    public static VfioGpu open(PciAddress address) {
        return open(address, _ -> {});
    }

    /// Opens the card as [#open(PciAddress)] does, and reports the loss of the card.
    ///
    /// @param onLoss called on a separate thread with the reason to close the card soon; at most
    ///   once per reason, and not after [#close()] has returned
    public static VfioGpu open(PciAddress address, Consumer<CardLoss> onLoss) {
        VfioDevice device = VfioDevice.open(address);
        Map<Bar, RegionAccess> regions = new EnumMap<>(Bar.class);
        try {
            for (Bar bar : Bar.values()) {
                VfioRegion region = VfioRegion.of(device.file(), bar.index());
                if (region.bytes() > 0) {
                    regions.put(bar, new RegionAccess(device.file(), region));
                }
            }
            return new VfioGpu(device, regions, onLoss);
        } catch (RuntimeException | Error e) {
            regions.values().forEach(RegionAccess::close);
            device.close();
            throw e;
        }
    }

    private VfioGpu(VfioDevice device, Map<Bar, RegionAccess> regions, Consumer<CardLoss> onLoss) {
        this.device = device;
        this.regions = regions;
        config = PciConfig.of(device.file());
        config.wake();
        commandAsFound = config.command();
        device.reset();
        config.enable();
        Map<Bar, Long> sizes = new EnumMap<>(Bar.class);
        regions.forEach((bar, access) -> sizes.put(bar, access.region().bytes()));
        identity = config.identity(sizes);
        checkBars();
        presence = new CardPresence(device.file().name(), region(Bar.BAR0));
        checkChip();
        vramBytes = InstalledVram.bytes(new RegisterPort(this));
        iovas = IovaPlan.of(device.container().iovaRanges());
        dma = new DmaTable(device.container(), iovas.free());
        ownMemory = new VfioTableMemory(device.container());
        barSpaces = new BarSpaces(this, iovas.reserved(), ownMemory);
        intx = new VfioIrq(device.file(), VfioIrq.Index.VFIO_PCI_INTX_IRQ_INDEX);
        msi = new VfioIrq(device.file(), VfioIrq.Index.VFIO_PCI_MSI_IRQ_INDEX);
        watch = CardWatch.start(onLoss);
        try {
            announce(VfioIrq.Index.VFIO_PCI_ERR_IRQ_INDEX, CardLoss.BUS_ERROR);
            announce(VfioIrq.Index.VFIO_PCI_REQ_IRQ_INDEX, CardLoss.REQUESTED);
        } catch (RuntimeException | Error e) {
            watch.close();
            throw e;
        }
    }

    /// Connects a notification of the kernel; [#close()] disconnects the notification.
    private void announce(VfioIrq.Index index, CardLoss loss) {
        VfioIrq notice = new VfioIrq(device.file(), index);
        if (notice.exists()) {
            notice.connect(watch.descriptor(loss));
        }
    }

    private void checkBars() {
        if (!regions.containsKey(Bar.BAR0) || !regions.containsKey(Bar.BAR1)) {
            throw new GpuDeviceException(
                    "%s: BARs %s, expected BAR0 and BAR1 of a GF100"
                            .formatted(device.file().name(), regions.keySet()));
        }
    }

    private void checkChip() {
        int boot = new RegisterPort(this).read(Pmc.BOOT_0);
        int chipset = Pmc.BOOT_0_CHIPSET.get(boot);
        if (chipset != Pmc.CHIPSET_GF100) {
            throw new GpuDeviceException(
                    "%s: %04x:%04x has BOOT_0=%#010x, chipset=%#x, expected=%#x (GF100)"
                            .formatted(
                                    device.file().name(),
                                    identity.vendor(),
                                    identity.device(),
                                    boot,
                                    chipset,
                                    Pmc.CHIPSET_GF100));
        }
    }

    @Override
    public PciIdentity identity() {
        return identity;
    }

    @Override
    public long vramBytes() {
        return vramBytes;
    }

    /// @throws GpuDeviceException also if the card does not respond
    @Override
    public long read(Bar bar, long offset, int width) {
        long value = region(bar).read(offset, width);
        if (bar == Bar.BAR0) {
            presence.check(value, width);
        }
        return value;
    }

    /// Drops writes to the ROM, which the kernel would refuse.
    @Override
    public void write(Bar bar, long offset, int width, long value) {
        if (bar == Bar.ROM) {
            Objects.checkFromIndexSize(offset, width, identity.bytesOf(bar));
        } else {
            region(bar).write(offset, width, value);
        }
    }

    @Override
    public VramWindow openWindow(long bytes) {
        if (bytes > vramBytes) {
            throw new GpuDeviceException(
                    "window bytes=%#x, limit=%#x (VRAM)".formatted(bytes, vramBytes));
        }
        BarSlice slice = openSlice(Bar.BAR1, bytes);
        try {
            MemorySegment memory = region(Bar.BAR1).memory(slice.offset(), slice.bytes());
            if (memory == null) {
                throw new GpuDeviceException("Linux does not permit mapping BAR1");
            }
            return new Bar1Window(slice, memory, vramBytes);
        } catch (RuntimeException e) {
            closeAfter(e, slice);
            throw e;
        }
    }

    private static void closeAfter(RuntimeException failure, BarSlice slice) {
        try {
            slice.close();
        } catch (GpuDeviceException e) {
            failure.addSuppressed(e);
        }
    }

    /// Returns no window, because single pages of a card's memory cannot be shared with another
    /// process through a file.
    @Override
    public Optional<SharedWindow> openSharedWindow(long bytes) {
        return Optional.empty();
    }

    @Override
    public BarSlice openSlice(Bar bar, long bytes) {
        return barSpaces.open(bar, bytes);
    }

    @Override
    public Optional<Exported> export(Bar bar, long offset, long bytes) {
        VfioRegion region = region(bar).region();
        return region.isMappable(offset, bytes)
                ? Optional.of(
                        new Exported(
                                device.file().descriptor(), region.fileOffset() + offset, bytes))
                : Optional.empty();
    }

    /// Returns false: no interrupt of a GF100 signals that a channel has become idle.
    @Override
    public boolean onRest(Runnable listener) {
        return false;
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return iovas.free();
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        dma.map(mapping);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        dma.unmap(iova, bytes);
    }

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {
        quietly(() -> {
            // A pin that has signalled remains masked until it is connected again; otherwise the
            // kernel only replaces the eventfd (`vfio_pci_intrs.c`, `vfio_intx_set_signal`).
            disconnect();
            irq(kind).connect(eventDescriptor);
            connected = kind;
            if (kind == InterruptKind.MSI) {
                // The card may have sent its only message to the former eventfd.
                write(Bar.BAR0, Ppci.CYA_2.offset(), Byte.BYTES, Ppci.CYA_2_REARM);
            }
        });
    }

    @Override
    public void disconnectInterrupt() {
        if (connected != null) {
            quietly(this::disconnect);
        }
    }

    private void disconnect() {
        if (connected != null) {
            irq(connected).disconnect();
            connected = null;
        }
    }

    /// Runs a change of the kernel's interrupt setup while the card raises no interrupt. A message
    /// sent during the change would be lost, or written to address 0, because the kernel clears the
    /// address before it disables messages (`kernel/irq/msi.c`, `msi_domain_deactivate`). An
    /// interrupt controller may also miss a pin that was asserted before it was unmasked.
    private void quietly(Runnable change) {
        RegisterPort registers = new RegisterPort(this);
        int enabled = registers.read(Pmc.INTR_EN_HOST);
        registers.write(Pmc.INTR_EN_HOST, 0);
        // The read flushes the messages that were sent before.
        registers.read(Pmc.INTR_EN_HOST);
        try {
            change.run();
        } finally {
            registers.write(Pmc.INTR_EN_HOST, enabled);
        }
    }

    @Override
    public void maskInterrupt() {
        config.disableIntx(true);
    }

    @Override
    public void unmaskInterrupt() {
        if (config.intxDisabled()) {
            config.disableIntx(false);
        } else if (connected == InterruptKind.INTX) {
            intx.unmask();
        }
    }

    @Override
    public void reset() {
        device.reset();
        config.enable();
        barSpaces.rebind();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        // The device is closed even if an earlier step fails; the kernel then releases all
        // resources and resets the device.
        try (watch;
                device;
                ownMemory;
                dma) {
            try {
                leave();
            } finally {
                regions.values().forEach(RegionAccess::close);
            }
        }
    }

    /// Stops the card's activity, unless the card no longer responds.
    private void leave() {
        if (!presence.isGone()) {
            disconnectInterrupt();
            resetUnlessTakenAway();
            config.command(commandAsFound);
        }
    }

    /// Resets the card, unless a removal of the card holds its device lock, for which the kernel
    /// does not wait (`drivers/pci/pci.c`, `pci_try_reset_function`). The next process that opens
    /// the card resets it.
    private void resetUnlessTakenAway() {
        try {
            device.reset();
        } catch (VfioException e) {
            if (e.errno() != Errno.EAGAIN.number()) {
                throw e;
            }
        }
    }

    private VfioIrq irq(InterruptKind kind) {
        return kind == InterruptKind.MSI ? msi : intx;
    }

    private RegionAccess region(Bar bar) {
        RegionAccess access = regions.get(bar);
        if (access == null) {
            throw new IndexOutOfBoundsException("%s: absent from this card".formatted(bar));
        }
        return access;
    }
}
