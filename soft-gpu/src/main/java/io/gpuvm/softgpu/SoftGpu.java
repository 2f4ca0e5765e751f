package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.driver.BarSpaces;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.Bar0;
import io.gpuvm.gf100.unit.Bar0Parts;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.InterruptOutput;
import io.gpuvm.gf100.unit.InterruptTree;
import io.gpuvm.gf100.unit.PtimerUnit;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.gf100.vbios.VbiosImage;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.softgpu.engine.ComputeParts;
import io.gpuvm.softgpu.engine.KernelError;
import io.gpuvm.softgpu.engine.KernelErrors;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.fifo.ChannelTimes;
import io.gpuvm.softgpu.fifo.Fifo;
import io.gpuvm.softgpu.fifo.FifoParts;
import io.gpuvm.softgpu.grid.GridRunner;
import io.gpuvm.softgpu.memory.SystemMemory;
import io.gpuvm.softgpu.memory.Vram;
import io.gpuvm.softgpu.sm.Kernels;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.window.SharedWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Software implementation of a GF100 (Quadro 6000).
///
/// This class is long because it creates, connects and releases all units of the GPU; it contains
/// no other logic.
///
/// **Threads.** Methods of [PhysicalGpu] are for the register thread only. The engines run on the
/// thread that calls [#doWork()]: an agent's thread ([#engines()]) or the register thread. The
/// [Parking] set with [#wakes] wakes the engine thread. Launches of more than one block start up to
/// [SoftGpuConfig#workers()] - 1 daemon threads, which work only while the engine thread is in
/// [#doWork()] and end with [#close()]. In [io.gpuvm.softgpu.sm.ExecutionMode#TIERED], an
/// additional thread compiles kernels; it starts with the first kernel worth compiling, ends with
/// [#close()] and accesses no state of the GPU.
public final class SoftGpu implements PhysicalGpu {
    private static final Logger LOG = LoggerFactory.getLogger(SoftGpu.class);

    private final SoftGpuConfig config;
    private final PciIdentity identity;
    private final UndeclaredAccesses undeclared =
            new UndeclaredAccesses(new UndeclaredLog(LOG::info));
    private final WorkCounters workCounters = new WorkCounters();
    private final SoftGpuCounters counters;
    private final ChannelTimes channelTimes;
    private final Vram vram;
    private final SystemMemory host = new SystemMemory();
    private final InterruptOutput interrupts = new InterruptOutput(EventFd::signal);
    private final PtimerUnit ptimer;
    private final KernelErrors kernelErrors;
    private final Kernels kernels;
    private final GridRunner grids;
    private final Fifo fifo;
    private final BarAperture bar1;
    private final BarAperture bar3;
    private final Bar0 bar0;
    private final SoftTableMemory ownMemory;
    private final BarSpaces barSpaces;
    private final SharedWindows sharedWindows;
    private boolean closed;
    private final Engines engines = new Engines();
    private volatile Parking engineThread = new Parking(new ThreadWait());

    /// Creates a GPU on the system's clock.
    public SoftGpu(SoftGpuConfig config) {
        this(config, System::nanoTime);
    }

    /// @param hostNs monotonic clock in nanoseconds; thread-safe
    public SoftGpu(SoftGpuConfig config, LongSupplier hostNs) {
        this.config = config;
        Board board = config.board();
        InterruptTree tree = interrupts.tree();
        vram = new Vram(config.vramBytes());
        PhysicalMemory memory = new PhysicalMemory(vram.pages(), host);
        Mmu mmu = new Mmu(memory);
        ptimer = new PtimerUnit(hostNs, tree.line(Pmc.INTR_PTIMER), () -> engineThread.wake());
        GraphTrap graphTrap = new GraphTrap(tree.line(Pmc.INTR_PGRAPH));
        CopyTrap copyTrap0 = new CopyTrap(tree.line(Pmc.INTR_PCOPY0));
        CopyTrap copyTrap1 = new CopyTrap(tree.line(Pmc.INTR_PCOPY1));
        channelTimes = new ChannelTimes(hostNs);
        kernelErrors = new KernelErrors(hostNs);
        kernels = new Kernels(config.engine());
        grids =
                new GridRunner(
                        config.workersOfChip(),
                        number -> new Sm(number, mmu, ptimer::nowNs, kernels));
        fifo =
                new Fifo(
                        new FifoParts(
                                mmu,
                                host,
                                ptimer::nowNs,
                                tree.line(Pmc.INTR_PFIFO),
                                config.copyEngines(),
                                workCounters,
                                channelTimes,
                                graphTrap,
                                copyTrap0,
                                copyTrap1,
                                new ComputeParts(
                                        grids,
                                        config.watchdogNs(),
                                        kernelErrors,
                                        config.tpcsPerGpc())));
        bar1 = new BarAperture(Bar.BAR1, config.bar1Bytes(), mmu, fifo.faults());
        bar3 = new BarAperture(Bar.BAR3, config.bar3Bytes(), mmu, fifo.faults());
        identity = Board.identity(config.bar1Bytes(), config.bar3Bytes());
        byte[] vbios = VbiosImage.build(identity, config.display());
        bar0 =
                new Bar0(
                        new Bar0Parts(
                                board,
                                vbios,
                                memory,
                                _ -> {},
                                bar1::control,
                                bar3::control,
                                new MmuControl(mmu, fifo),
                                interrupts,
                                ptimer,
                                fifo,
                                fifo::resetEngines,
                                graphTrap,
                                copyTrap0,
                                copyTrap1),
                        undeclared);
        ownMemory = new SoftTableMemory(fifo::mapDma);
        barSpaces = new BarSpaces(this, SoftTableMemory.RANGE, ownMemory);
        sharedWindows = new SharedWindows(vram.homes(), fifo::relocate, workCounters);
        counters =
                new SoftGpuCounters(
                        workCounters,
                        channelTimes,
                        kernels,
                        interrupts::signalled,
                        memory::lostAccesses);
    }

    /// Runs the engines for one bounded slice, and polls PTIMER's alarm. Engine thread only.
    ///
    /// @return amount of work; 0 if there was no work
    public int doWork() {
        return fifo.doWork() + (ptimer.pollAlarm() ? 1 : 0);
    }

    /// Returns the agent that runs the engines, for a dedicated or a shared thread.
    public ParkingAgent engines() {
        return engines;
    }

    /// Returns the time for which the engine thread may sleep, in nanoseconds: 0 if there is work,
    /// [Long#MAX_VALUE] to sleep until woken.
    public long nanosUntilWork() {
        return Math.min(fifo.nanosUntilWork(), ptimer.nanosUntilAlarm());
    }

    /// Sets the [Parking] through which the engine thread is woken when work arrives. Must be
    /// called before the engine thread starts.
    public void wakes(Parking thread) {
        engineThread = thread;
        fifo.wakes(thread);
    }

    @Override
    public boolean onRest(Runnable listener) {
        fifo.onRest(listener);
        return true;
    }

    @Override
    public KernelPosition takeKernelPosition(int channel) {
        KernelPosition failed = kernelErrors.take(channel);
        return failed == null ? fifo.kernelPosition(channel) : failed;
    }

    /// Sets the listener for failed compute kernels, which is called on the engine thread.
    public void onKernelError(Consumer<KernelError> listener) {
        kernelErrors.listen(listener);
    }

    /// Sets the function that names channels in log lines about failed kernels. The function is
    /// called on the engine thread.
    public void nameChannels(IntFunction<String> names) {
        kernelErrors.nameChannels(names);
    }

    /// Returns the recorded accesses to registers that the model does not implement.
    public UndeclaredAccesses undeclared() {
        return undeclared;
    }

    /// Returns the event counters. Any thread.
    public SoftGpuCounters counters() {
        return counters;
    }

    /// Returns the times for which channels have used the engines. Any thread.
    public ChannelTimes channelTimes() {
        return channelTimes;
    }

    /// Zeroes a range of VRAM that no channel uses, including pages that shared windows show. The
    /// cost depends on the number of used pages, not on the size. Any thread; no page of the range
    /// may move during the call.
    public void scrub(long vramOffset, long bytes) {
        Objects.checkFromIndexSize(vramOffset, bytes, vram.bytes());
        vram.clear(vramOffset, bytes);
    }

    @Override
    public PciIdentity identity() {
        return identity;
    }

    @Override
    public long vramBytes() {
        return vram.bytes();
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        check(bar, offset, width);
        return switch (bar) {
            case BAR0 -> bar0.read(offset, width);
            case BAR1 -> bar1.read(offset, width);
            case BAR3 -> bar3.read(offset, width);
            case BAR5 -> 0;
            case ROM -> bar0.readRom(offset, width);
        };
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        check(bar, offset, width);
        switch (bar) {
            case BAR0 -> bar0.write(offset, width, value);
            case BAR1 -> {
                bar1.write(offset, width, value);
                fifo.onBar1Write(offset, width);
            }
            case BAR3 -> bar3.write(offset, width, value);
            case BAR5, ROM -> {
                // Writes to these regions have no effect.
            }
        }
    }

    @Override
    public VramWindow openWindow(long bytes) {
        return new VramView(vram, bytes);
    }

    @Override
    public Optional<SharedWindow> openSharedWindow(long bytes) {
        return Optional.of(sharedWindows.open(bytes));
    }

    @Override
    public BarSlice openSlice(Bar bar, long bytes) {
        return barSpaces.open(bar, bytes);
    }

    /// Returns an empty result: no region can be mapped, so every access uses [#read] or [#write].
    @Override
    public Optional<Exported> export(Bar bar, long offset, long bytes) {
        return Optional.empty();
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return List.of(new IovaRange(0, SoftTableMemory.RANGE.first() - 1));
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        fifo.mapDma(mapping);
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        fifo.mapDma(mappings, refusals);
    }

    /// Unmaps a range, but not the GPU's own memory within it.
    @Override
    public void unmapDma(long iova, long bytes) {
        unmapDma(List.of(new DmaRange(iova, bytes)));
    }

    /// Unmaps ranges, but not the GPU's own memory within them.
    @Override
    public void unmapDma(List<DmaRange> ranges) {
        List<DmaRange> others = new ArrayList<>(ranges.size());
        for (DmaRange range : ranges) {
            addOthers(range, others);
        }
        fifo.unmapDma(others);
    }

    /// Adds to `others` the parts of a range that are outside the GPU's own memory.
    private void addOthers(DmaRange range, List<DmaRange> others) {
        long iova = range.iova();
        long own = SoftTableMemory.RANGE.first();
        long ownEnd = barSpaces.usedEnd();
        long last = iova + range.bytes() - 1;
        boolean before = Long.compareUnsigned(last, own) < 0;
        if (range.bytes() == 0 || before || Long.compareUnsigned(iova, ownEnd) >= 0) {
            others.add(range);
            return;
        }
        if (Long.compareUnsigned(iova, own) < 0) {
            others.add(new DmaRange(iova, own - iova));
        }
        if (Long.compareUnsigned(last, ownEnd) >= 0) {
            others.add(new DmaRange(ownEnd, last - ownEnd + 1));
        }
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

    @Override
    public void reset() {
        bar0.reset();
        interrupts.rearm();
        sharedWindows.clear();
        vram.clear();
        barSpaces.rebind();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        interrupts.disconnect();
        fifo.close();
        grids.close();
        kernels.close();
        ownMemory.close();
        host.close();
        sharedWindows.close();
        vram.close();
    }

    private void check(Bar bar, long offset, int width) {
        Objects.checkFromIndexSize(offset, width, identity.bytesOf(bar));
    }

    /// Agent that runs the engines on the engine thread.
    private final class Engines implements ParkingAgent {
        @Override
        public int doWork() {
            return SoftGpu.this.doWork();
        }

        @Override
        public boolean mayPark() {
            return fifo.mayPark();
        }

        @Override
        public long nanosUntilWork() {
            return SoftGpu.this.nanosUntilWork();
        }

        @Override
        public String roleName() {
            return "gpuvm-softgpu";
        }
    }
}
