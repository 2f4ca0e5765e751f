package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.WatchedMemory;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.Bar0;
import io.gpuvm.gf100.unit.Bar0Parts;
import io.gpuvm.gf100.unit.InterruptOutput;
import io.gpuvm.gf100.unit.InterruptTree;
import io.gpuvm.gf100.unit.PtimerUnit;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.gf100.unit.fifo.PbdmaReport;
import io.gpuvm.gf100.unit.fifo.PfifoUnit;
import io.gpuvm.gf100.vbios.VbiosImage;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VramShare;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.shadow.ShadowSetup;
import io.gpuvm.shadow.ShadowSpaces;
import java.util.List;
import java.util.Objects;

/// GF100 of one virtual machine, with its own register file, channels and faults, and a share of
/// the physical GPU's VRAM. A driver uses this GPU like any other GPU.
///
/// The registers are a model, composed of units that the software GPU also uses; none of the
/// registers is a register of the physical GPU. Requests (shadow page tables, shadow instance
/// blocks, doorbells) reach the physical GPU through [GpuRequests], after a check.
///
/// Confined to the virtual machine's thread, which calls [#doWork()] after each wake-up.
public final class VirtualGpu implements GpuDevice, ParkingAgent {
    private final VirtualGpuParts parts;
    private final PciIdentity identity;
    private final GuestRam ram = new GuestRam();
    private final UndeclaredAccesses undeclared;
    private final Mmu mmu;
    private final GuestDma dma;
    private final InterruptOutput interrupts = new InterruptOutput(EventFd::signal);
    private final PtimerUnit ptimer;
    private final FifoReports reports;
    private final ShadowSpaces spaces;
    private final VirtualChannels channels;
    private final UnitMemory unitMemory;
    private final PfifoUnit pfifo;
    private final EngineTraps traps;
    private final GuestBars bars;
    private final DoorbellBar bar1;
    private final BarAperture bar3;
    private final Bar0 bar0;
    private final ShadowFlushes flushes;
    private final FaultQueue faults;
    private final OwnerReports ownerReports;
    private boolean closed;

    public VirtualGpu(VirtualGpuParts parts) {
        this.parts = parts;
        identity = parts.identity();
        GuestLog log = new GuestLog(parts.vm(), parts.share());
        undeclared = new UndeclaredAccesses(log::undeclared);
        PhysicalMemory memory = new PhysicalMemory(parts.vram(), ram, log::absent);
        mmu = new Mmu(memory);
        dma = new GuestDma(ram, parts.requests(), mmu);
        InterruptTree tree = interrupts.tree();
        ptimer = new PtimerUnit(parts.clockNs(), tree.line(Pmc.INTR_PTIMER), () -> {});
        reports = FifoReports.create(tree.line(Pmc.INTR_PFIFO), () -> {});
        faults = new FaultQueue(reports.faults(), reports.engines());
        spaces = new ShadowSpaces(shadowSetup());
        flushes = new ShadowFlushes(spaces, parts.requests());
        channels =
                new VirtualChannels(
                        memory,
                        spaces,
                        parts.requests(),
                        () -> flushes.begin(false),
                        faults::release,
                        faults::forget,
                        this::onRefused);
        reports.engines().follow(channels::engineStatus);
        unitMemory = new UnitMemory(new WatchedMemory(memory, spaces::onVramWrite));
        pfifo = new PfifoUnit(channels, reports, unitMemory);
        traps = new EngineTraps(parts.board(), tree, parts.requests());
        byte[] vbios = VbiosImage.build(identity, parts.board().display());
        bars = new GuestBars(parts, mmu, reports.faults(), spaces, vbios);
        bar1 = new DoorbellBar(bars.bar1(), pfifo.userd(), channels);
        bar3 = bars.bar3();
        pfifo.userd()
                .onPlace(userd -> {
                    if (bars.hidesDoorbells(userd)) {
                        log.hiddenDoorbells(userd);
                    }
                });
        bar0 =
                new Bar0(
                        new Bar0Parts(
                                parts.board(),
                                vbios,
                                unitMemory,
                                bars::movePramin,
                                bars::controlBar1,
                                bars::controlBar3,
                                new GuestTranslations(
                                        mmu, spaces, parts.strategy(), flushes, channels, bars),
                                interrupts,
                                ptimer,
                                pfifo,
                                this::onSwitchedOff,
                                traps.graph(),
                                traps.copy0(),
                                traps.copy1()),
                        undeclared);
        ownerReports =
                new OwnerReports(reports, channels, faults, traps, pfifo, bar0.pffb(), flushes);
    }

    private ShadowSetup shadowSetup() {
        return new ShadowSetup(
                parts.vm(),
                mmu,
                parts.share(),
                parts.memory(),
                parts.arena(),
                parts.strategy(),
                parts.counters(),
                parts.clockNs());
    }

    /// Sets the observer of doorbells and of reads of the guest's memory. Called once, before any
    /// other method.
    public void onGuestMemory(GuestMemoryTap tap) {
        channels.onDoorbell(tap);
        unitMemory.onRead(tap);
    }

    /// Returns the MMU that translates the addresses of the guest's channels. Virtual machine's
    /// thread only.
    public Mmu guestMmu() {
        return mmu;
    }

    /// Handles the reports of the GPU's owner, and the timer's alarm.
    ///
    /// @return number of events handled
    @Override
    public int doWork() {
        return parts.inbox().poll(ownerReports) + (ptimer.pollAlarm() ? 1 : 0);
    }

    /// Returns the time, in nanoseconds, for which the virtual machine's thread may sleep without a
    /// wake-up.
    @Override
    public long nanosUntilWork() {
        return ptimer.nanosUntilAlarm();
    }

    @Override
    public boolean mayPark() {
        return doWork() == 0;
    }

    @Override
    public String roleName() {
        return parts.vm();
    }

    /// Returns the costs of shadowing the guest's page tables. Any thread.
    public ShadowCounters shadowCounters() {
        return parts.counters();
    }

    /// Returns the costs of direct mapping. Any thread.
    public MappingCounters mappingCounters() {
        return bars.counters();
    }

    /// Returns the parts of the BARs that the guest's VMM may map.
    public MappableBars mappable() {
        return bars.mappable();
    }

    /// Returns the accesses to registers that the model lacks.
    public UndeclaredAccesses undeclared() {
        return undeclared;
    }

    /// Returns the guest's share of the GPU's VRAM.
    public VramShare vram() {
        return parts.share();
    }

    /// Returns the bus addresses of the guest's memory.
    public IovaShare memory() {
        return parts.memory();
    }

    /// Returns the bus address of the guest's shadow structures.
    public long arenaIova() {
        return parts.arena().dmaMapping().iova();
    }

    @Override
    public PciIdentity identity() {
        return identity;
    }

    @Override
    public long vramBytes() {
        return parts.share().bytes();
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        Objects.checkFromIndexSize(offset, width, identity.bytesOf(bar));
        return switch (bar) {
            case BAR0 -> {
                // Drivers poll registers for the reports.
                parts.inbox().poll(ownerReports);
                yield bar0.read(offset, width);
            }
            case BAR1 -> bar1.read(offset, width);
            case BAR3 -> bar3.read(offset, width);
            case BAR5 -> 0;
            case ROM -> bar0.readRom(offset, width);
        };
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        Objects.checkFromIndexSize(offset, width, identity.bytesOf(bar));
        switch (bar) {
            case BAR0 -> {
                // A message can contain more writes than the inbox has space for reports.
                parts.inbox().poll(ownerReports);
                bar0.write(offset, width, value);
            }
            case BAR1 -> writeBar1(offset, width, value);
            case BAR3 -> bar3.write(offset, width, value);
            case BAR5, ROM -> {
                // Read-only.
            }
        }
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return List.of(new IovaRange(0, parts.memory().bytes() - 1));
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        dma.mapDma(mapping);
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        dma.mapDma(mappings, refusals);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        dma.unmapDma(iova, bytes);
    }

    @Override
    public void unmapDma(List<DmaRange> ranges) {
        dma.unmapDma(ranges);
    }

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {
        interrupts.connect(kind, eventDescriptor);
    }

    @Override
    public void disconnectInterrupt() {
        interrupts.disconnect();
    }

    @Override
    public void maskInterrupt() {
        interrupts.mask();
    }

    @Override
    public void unmaskInterrupt() {
        interrupts.unmask();
    }

    /// Resets the GPU and zeroes the VRAM, so that the next guest finds no data of this guest.
    @Override
    public void reset() {
        parts.requests().reset();
        try {
            parts.inbox().poll(ownerReports);
            channels.forgetAll();
            flushes.clear();
            faults.clear();
            bars.reset();
            bar0.reset();
            interrupts.rearm();
        } finally {
            parts.scrub().run();
            mmu.invalidateTranslations();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reset();
            interrupts.disconnect();
            spaces.close();
            ram.close();
        }
    }

    /// Reports a refused channel to the driver, as hardware reports an instance block without a
    /// channel's signature.
    private void onRefused(int channel) {
        PbdmaReport report = reports.pbdmas().report(0);
        report.describe(channel, 0);
        report.raise(Pbdma.INTR_SIGNATURE_MISMATCH.mask(), 0, 0);
    }

    private void writeBar1(long offset, int width, long value) {
        int channel = bar1.write(offset, width, value);
        if (channel >= 0) {
            parts.inbox().poll(ownerReports); // A doorbell can cause flushes, as a BAR0 write can.
            bar1.ring(channel, offset);
        }
    }

    private void onSwitchedOff(int pmcEnableBits) {
        parts.requests().resetEngines(pmcEnableBits);
        if (Pmc.ENABLE_PGRAPH.isSet(pmcEnableBits)) {
            reports.engines().idle(EngineId.GRAPH.number());
        }
        if (Pmc.ENABLE_PCOPY0.isSet(pmcEnableBits)) {
            reports.engines().idle(EngineId.COPY0.number());
        }
        if (Pmc.ENABLE_PCOPY1.isSet(pmcEnableBits)) {
            reports.engines().idle(EngineId.COPY1.number());
        }
        if (Pmc.ENABLE_PFIFO.isSet(pmcEnableBits)) {
            for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
                channels.unbind(channel);
            }
            pfifo.stop();
        }
    }
}
