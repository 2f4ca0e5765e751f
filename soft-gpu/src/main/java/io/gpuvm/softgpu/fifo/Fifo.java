package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.Unit;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.gf100.unit.fifo.PfifoUnit;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.memory.SystemMemory;
import java.util.List;

/// PFIFO: channels, runlist, preemption, doorbells and reports, and the engines behind them.
///
/// **Register side** (all methods except those of the engine side): confined to the register
/// thread. Changes to state that the engines use are made with the engines held at a safepoint, and
/// have taken effect when the call returns. A doorbell is only posted.
///
/// **Engine side** ([#doWork()], [#mayPark()], [#nanosUntilWork()]): one engine thread, which may
/// be the same thread.
public final class Fifo implements Unit, AutoCloseable {
    private final Mmu mmu;
    private final SystemMemory host;
    private final WorkCounters counters;
    private final FaultSink faults;
    private final Baton baton;
    private final WorkSignal signal;
    private final Scheduler scheduler;
    private final HeldEngines engines;
    private final PfifoUnit registers;

    /// True if the last attempt to acquire the baton failed. Engine thread only.
    private boolean turnedAway;

    private volatile boolean closed;

    /// Listener for idle channels. Accessed only by the holder of the baton.
    private Runnable rest = () -> {};

    public Fifo(FifoParts parts) {
        mmu = parts.mmu();
        host = parts.host();
        counters = parts.counters();
        FifoReports reports =
                FifoReports.create(
                        parts.interrupt(), () -> counters.increment(WorkCounter.MMU_FAULTS));
        faults = reports.faults();
        EngineSide engineSide = EngineSide.create(parts, reports);
        baton = engineSide.baton();
        signal = engineSide.signal();
        scheduler = engineSide.scheduler();
        engines = new HeldEngines(parts, reports, engineSide);
        registers = new PfifoUnit(engines, reports, mmu.memory());
        parts.graphTrap().onRelease(_ -> signal.nudge());
        parts.copyTrap0().onRelease(_ -> signal.nudge());
        parts.copyTrap1().onRelease(_ -> signal.nudge());
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        registers.declare(table);
    }

    /// Stops all channels and restores the power-on state.
    @Override
    public void reset() {
        engines.exclusively(() -> {
            forgetAll();
            engines.forgetObjects();
        });
    }

    /// Returns the sink for faults of BAR1 and BAR3.
    public FaultSink faults() {
        return faults;
    }

    /// Rings the doorbell if a write touched a channel's put index. Must be called after each write
    /// through BAR1.
    public void onBar1Write(long barOffset, int width) {
        int channel = registers.userd().channelRungBy(barOffset, width);
        if (channel >= 0) {
            counters.increment(WorkCounter.DOORBELLS);
            signal.kick(channel);
        }
    }

    /// Resets the engines whose bits in register 0x000200 changed from 1 to 0, and PFIFO likewise.
    public void resetEngines(int pmcEnableBitsCleared) {
        engines.resetByPmc(pmcEnableBitsCleared, this::forgetAll);
    }

    /// Executes a write to register 0x100cbc. Any request drops all translations: this is always
    /// permitted, and flushes are rare.
    ///
    /// @param pdbWord the word in register 0x100cb8
    /// @param trigger the word written to register 0x100cbc
    public void invalidateTlb(int pdbWord, int trigger) {
        counters.increment(WorkCounter.TLB_FLUSHES);
        engines.exclusively(mmu::invalidateTranslations);
    }

    /// Adds a DMA mapping, with the engines held. See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    public void mapDma(DmaMapping mapping) {
        engines.exclusively(() -> {
            host.map(mapping);
            mmu.invalidateTranslations();
        });
    }

    /// Adds several DMA mappings, holding the engines only once. See
    /// [io.gpuvm.gf100.device.GpuDevice#mapDma(List, DmaRefusals)].
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        engines.exclusively(() -> {
            host.map(mappings, refusals);
            mmu.invalidateTranslations();
        });
    }

    /// Removes DMA mappings, holding the engines only once, and drops all translations, including
    /// those of BAR apertures. See [io.gpuvm.gf100.device.GpuDevice#unmapDma(List)].
    public void unmapDma(List<DmaRange> ranges) {
        engines.exclusively(() -> {
            mmu.invalidateTranslations();
            host.unmap(ranges);
        });
    }

    /// Removes the DMA mappings in one range, as [#unmapDma(List)] does.
    public void unmapDma(long iova, long bytes) {
        engines.exclusively(() -> {
            mmu.invalidateTranslations();
            host.unmap(iova, bytes);
        });
    }

    /// Runs a change that moves pages of VRAM, with the engines held, and drops all translations,
    /// including those of BAR apertures.
    public void relocate(Runnable change) {
        engines.exclusively(() -> {
            mmu.invalidateTranslations();
            change.run();
        });
    }

    /// Does one bounded unit of work.
    ///
    /// @return number of steps; 0 if there was no work
    public int doWork() {
        turnedAway = !baton.tryTake();
        if (turnedAway) {
            return 0;
        }
        try {
            int steps = closed ? 0 : scheduler.runSlice();
            if (steps > 0 && scheduler.hasRested()) {
                rest.run();
            }
            return steps;
        } finally {
            if (baton.takeKillRequest()) {
                scheduler.killRunning();
            }
            baton.release();
        }
    }

    /// Returns whether the engine thread may sleep, after [#doWork()] returned 0.
    public boolean mayPark() {
        return !turnedAway && !signal.isPending();
    }

    /// Returns the time for which the engine thread may sleep, after [#doWork()] returned 0, in
    /// nanoseconds: 0 if there is work, [Long#MAX_VALUE] to sleep until woken.
    public long nanosUntilWork() {
        return turnedAway || signal.isPending() ? 0 : scheduler.nanosUntilWork();
    }

    /// Sets the [Parking] through which the engine thread is woken when work arrives.
    public void wakes(Parking engineThread) {
        signal.wakes(engineThread);
    }

    /// Sets the listener that is called on the engine thread when a channel has no more work or
    /// waits. By then, the register thread can read the channel's new status. A previous listener
    /// is not called after this method returns.
    public void onRest(Runnable listener) {
        engines.exclusively(() -> rest = listener);
    }

    /// Returns the position of the kernel that a channel has begun and not ended; null if there is
    /// none.
    public KernelPosition kernelPosition(int channel) {
        return engines.kernelPosition(channel);
    }

    /// Stops all channels permanently.
    @Override
    public void close() {
        engines.exclusively(() -> {
            closed = true;
            forgetAll();
        });
    }

    private void forgetAll() {
        engines.forgetAll();
        registers.reset();
    }
}
