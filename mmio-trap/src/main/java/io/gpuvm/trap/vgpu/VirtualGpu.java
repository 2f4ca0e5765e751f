package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.WatchedMemory;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.Bar0;
import io.gpuvm.gf100.unit.Bar0Parts;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.InterruptOutput;
import io.gpuvm.gf100.unit.InterruptTree;
import io.gpuvm.gf100.unit.PffbUnit;
import io.gpuvm.gf100.unit.PtimerUnit;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.gf100.unit.fifo.PbdmaReport;
import io.gpuvm.gf100.unit.fifo.PfifoUnit;
import io.gpuvm.gf100.vbios.VbiosImage;
import io.gpuvm.linux.EventFd;
import io.gpuvm.shadow.CompletionInbox;
import io.gpuvm.shadow.IovaShare;
import io.gpuvm.shadow.ShadowChannel;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.shadow.ShadowSetup;
import io.gpuvm.shadow.ShadowSpaces;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.shadow.VramShare;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The GF100 that one virtual machine sees: a register file, channels and faults of its own, a part
/// of the GPU's VRAM. To whoever drives it, it is a GPU like any other.
///
/// Registers are a model, units that other GPUs have too; none of them is the physical GPU's. What
/// must reach the physical GPU goes through [GpuRequests] after it has been checked: shadow page
/// tables, shadow instance blocks, doorbells.
///
/// Confined to the virtual machine's thread, which calls [#doWork()] whenever it is woken.
public final class VirtualGpu implements GpuDevice, CompletionInbox.Handler {
    private static final int BAR5_BYTES = 128;

    private final VirtualGpuParts parts;
    private final PciIdentity identity;
    private final GuestRam ram = new GuestRam();
    private final UndeclaredAccesses undeclared;
    private final Mmu mmu;
    private final InterruptOutput interrupts = new InterruptOutput(EventFd::signal);
    private final PtimerUnit ptimer;
    private final FifoReports reports;
    private final ShadowSpaces spaces;
    private final VirtualChannels channels;
    private final PfifoUnit pfifo;
    private final GraphTrap graphTrap;
    private final CopyTrap copyTrap0;
    private final CopyTrap copyTrap1;
    private final BarAperture bar1;
    private final BarAperture bar3;
    private final Bar0 bar0;
    private final FlushAnswers flushes = new FlushAnswers();
    private final FaultQueue faults;
    private boolean closed;

    public VirtualGpu(VirtualGpuParts parts) {
        this.parts = parts;
        identity = identity(parts);
        GuestLog log = new GuestLog(parts.vm(), parts.share());
        undeclared = new UndeclaredAccesses(log::undeclared);
        PhysicalMemory memory = new PhysicalMemory(parts.vram(), ram, log::absent);
        mmu = new Mmu(memory);
        InterruptTree tree = interrupts.tree();
        ptimer = new PtimerUnit(parts.clockNs(), tree.line(Pmc.INTR_PTIMER), () -> {});
        reports = FifoReports.create(tree.line(Pmc.INTR_PFIFO), () -> {});
        faults = new FaultQueue(reports.faults(), reports.engines());
        spaces =
                new ShadowSpaces(
                        new ShadowSetup(
                                parts.vm(),
                                mmu,
                                parts.share(),
                                parts.memory(),
                                parts.arena(),
                                parts.strategy(),
                                parts.counters(),
                                parts.clockNs()));
        channels =
                new VirtualChannels(
                        memory,
                        spaces,
                        parts.requests(),
                        () -> flushStale(false),
                        faults::release,
                        faults::forget,
                        this::onRefused);
        reports.engines().follow(channels::engineStatus);
        pfifo = new PfifoUnit(channels, reports, memory);
        graphTrap = new GraphTrap(tree.line(Pmc.INTR_PGRAPH));
        copyTrap0 = new CopyTrap(tree.line(Pmc.INTR_PCOPY0));
        copyTrap1 = new CopyTrap(tree.line(Pmc.INTR_PCOPY1));
        graphTrap.onRelease(bits -> parts.requests().releaseTrap(EngineId.GRAPH.number(), bits));
        copyTrap0.onRelease(bits -> parts.requests().releaseTrap(EngineId.COPY0.number(), bits));
        copyTrap1.onRelease(bits -> parts.requests().releaseTrap(EngineId.COPY1.number(), bits));
        bar1 = new BarAperture(Bar.BAR1, parts.bar1Bytes(), mmu, reports.faults());
        bar3 = new BarAperture(Bar.BAR3, parts.bar3Bytes(), mmu, reports.faults());
        bar1.onVramWrite(spaces::onVramWrite);
        bar3.onVramWrite(spaces::onVramWrite);
        bar0 =
                new Bar0(
                        new Bar0Parts(
                                parts.board(),
                                VbiosImage.build(identity, parts.board().display()),
                                new WatchedMemory(memory, spaces::onVramWrite),
                                bar1::control,
                                bar3::control,
                                new Translations(),
                                interrupts,
                                ptimer,
                                pfifo,
                                this::onSwitchedOff,
                                graphTrap,
                                copyTrap0,
                                copyTrap1),
                        undeclared);
    }

    /// Takes what the GPU's owner has to say, and looks at the clock.
    ///
    /// @return how much that was
    public int doWork() {
        return parts.inbox().poll(this) + (ptimer.pollAlarm() ? 1 : 0);
    }

    /// How long the virtual machine's thread may sleep if nobody wakes it.
    public long nanosUntilWork() {
        return ptimer.nanosUntilAlarm();
    }

    /// What following the guest's page tables cost. Any thread.
    public ShadowCounters shadowCounters() {
        return parts.counters();
    }

    /// Accesses to registers that the model lacks.
    public UndeclaredAccesses undeclared() {
        return undeclared;
    }

    /// The guest's part of the GPU's VRAM.
    public VramShare vram() {
        return parts.share();
    }

    /// The bus addresses behind which the guest's memory lies.
    public IovaShare memory() {
        return parts.memory();
    }

    /// Bus address of the guest's shadow structures.
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
                // Drivers wait for answers by reading registers.
                parts.inbox().poll(this);
                yield bar0.read(offset, width);
            }
            case BAR1 -> readBar1(offset, width);
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
                // One message can hold more writes than the inbox has room for answers.
                parts.inbox().poll(this);
                bar0.write(offset, width, value);
            }
            case BAR1 -> writeBar1(offset, width, value);
            case BAR3 -> bar3.write(offset, width, value);
            case BAR5, ROM -> {
                // Nothing there can be written.
            }
        }
    }

    @Override
    public VramWindow openWindow(long bytes) {
        throw new GpuDeviceException(parts.vm() + ": a virtual GPU has no windows");
    }

    @Override
    public BarSlice openSlice(Bar bar, long bytes) {
        throw new GpuDeviceException(parts.vm() + ": a virtual GPU has no slices");
    }

    @Override
    public Optional<Exported> export(Bar bar, long offset, long bytes) {
        return Optional.empty();
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return List.of(new IovaRange(0, parts.memory().bytes() - 1));
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        ram.map(mapping);
        try {
            parts.requests().mapDma(mapping);
        } catch (GpuDeviceException e) {
            ram.unmap(mapping.iova(), mapping.bytes());
            throw e;
        }
        mmu.invalidateTranslations();
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        parts.requests().unmapDma(iova, bytes);
        mmu.invalidateTranslations();
        ram.unmap(iova, bytes);
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

    /// Also zeroes the VRAM, so that whoever comes next finds nothing of this guest.
    @Override
    public void reset() {
        parts.requests().reset();
        parts.inbox().poll(this);
        channels.forgetAll();
        flushes.clear();
        faults.clear();
        bar0.reset();
        interrupts.rearm();
        parts.scrub().run();
        mmu.invalidateTranslations();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reset();
            interrupts.disconnect();
            ram.close();
        }
    }

    @Override
    public void onFlushed() {
        if (flushes.onFlushed()) {
            bar0.pffb().onFlushed();
        }
    }

    @Override
    public void onPreempted(int channel) {
        reports.engines().forget(channel);
        if (channels.onPreempted()) {
            pfifo.onPreempted();
        }
    }

    @Override
    public void onRunlistLoaded() {
        pfifo.onRunlistLoaded();
    }

    @Override
    public void onNonStall(int engine) {
        reports.nonStall().raise(engine);
    }

    @Override
    public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
        faults.report(unit, channel, instanceOf(channel), gpuVa, statusWord);
    }

    @Override
    public void onPbdma(int pbdma, int channel, int interruptBits, int method, int data) {
        reports.pbdmas().report(pbdma).describe(channel, 0);
        reports.pbdmas().report(pbdma).raise(interruptBits, method, data);
    }

    @Override
    public void onGraphTrap(
            int channel, int interruptBits, int address, int data, int code, int classId) {
        graphTrap.describe(
                GraphError.TRAPPED_SUBCHANNEL.get(address),
                classId,
                (int) GraphError.TRAPPED_METHOD.bytes(Integer.toUnsignedLong(address)),
                data);
        graphTrap.raise(interruptBits, code, instanceOf(channel));
    }

    @Override
    public void onCopyTrap(int engine, int channel, int interruptBits, int error, int data) {
        CopyTrap trap = engine == EngineId.COPY0.number() ? copyTrap0 : copyTrap1;
        trap.describe(
                CopyClass.ERROR_SUBCHANNEL.get(error),
                (int) CopyClass.ERROR_METHOD.bytes(Integer.toUnsignedLong(error)),
                data);
        trap.raise(CopyClass.ERROR_CODE.get(error), instanceOf(channel));
    }

    @Override
    public void onHung(int engine, int channel) {
        reports.engines().hang(engine, channel);
        reports.interrupts().raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);
    }

    /// To hardware, an instance block that is not the guest's to use has nothing of a channel's.
    private void onRefused(int channel) {
        PbdmaReport report = reports.pbdmas().report(0);
        report.describe(channel, 0);
        report.raise(Pbdma.INTR_SIGNATURE_MISMATCH.mask(), 0, 0);
    }

    /// Hardware writes its progress to the shadow's USERD; what the driver wrote is in its own.
    private long readBar1(long offset, int width) {
        int channel = pfifo.userd().channelAt(offset);
        ShadowChannel shadow = channel < 0 ? null : channels.shadow(channel);
        if (shadow == null) {
            return bar1.read(offset, width);
        }
        if (pfifo.userd().channelRungBy(offset, width) >= 0) {
            return width == Long.BYTES
                    ? readBar1(offset, Integer.BYTES)
                            | readBar1(offset + Integer.BYTES, Integer.BYTES) << Integer.SIZE
                    : bar1.read(offset, width);
        }
        return Words.read(shadow.userd(), offset & Userd.BYTES - 1, width);
    }

    private void writeBar1(long offset, int width, long value) {
        bar1.write(offset, width, value);
        int channel = pfifo.userd().channelRungBy(offset, width);
        if (channel >= 0) {
            parts.inbox().poll(this); // a doorbell can ask for flushes: as for BAR0
            long slot = offset - offset % Userd.BYTES + Userd.IB_PUT;
            channels.ring(channel, (int) bar1.read(slot, Integer.BYTES));
        }
    }

    private long instanceOf(int channel) {
        ShadowChannel shadow =
                channel == CompletionInbox.NO_CHANNEL ? null : channels.shadow(channel);
        return shadow == null ? 0 : shadow.guestInstance();
    }

    /// @return whether a flush is under way now
    private boolean flushStale(boolean guests) {
        flushes.begin(guests);
        boolean[] any = new boolean[1];
        spaces.forEachToFlush(directory -> {
            any[0] = true;
            flushes.addDirectory();
            parts.requests().flush(directory);
        });
        if (!any[0]) {
            flushes.cancel();
        }
        return any[0];
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

    private static PciIdentity identity(VirtualGpuParts parts) {
        return new PciIdentity(
                Quadro6000.VENDOR,
                Quadro6000.DEVICE,
                Quadro6000.REVISION,
                Quadro6000.CLASS_CODE,
                Quadro6000.SUBSYSTEM_VENDOR,
                Quadro6000.SUBSYSTEM,
                Map.of(
                        Bar.BAR0, (long) Register.SPACE_BYTES,
                        Bar.BAR1, parts.bar1Bytes(),
                        Bar.BAR3, parts.bar3Bytes(),
                        Bar.BAR5, (long) BAR5_BYTES,
                        Bar.ROM, (long) VbiosImage.BYTES));
    }

    /// What the guest's PFFB asks for.
    private final class Translations implements PffbUnit.Translations {
        @Override
        public void bigPagesOf64KiB(boolean chosen) {
            mmu.bigPagesOf64KiB(chosen);
            spaces.geometryChanged();
        }

        @Override
        public boolean flush(int vspace, int trigger) {
            mmu.invalidateTranslations();
            boolean toFlush = spaces.flush(vspace, trigger);
            if (parts.strategy() == ShadowStrategy.LAZY) {
                toFlush |= channels.prepareBusy();
            }
            return !toFlush || !flushStale(true);
        }
    }
}
