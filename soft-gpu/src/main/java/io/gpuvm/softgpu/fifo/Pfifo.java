package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.Unit;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.memory.HostMemory;

/// PFIFO: channels, runlist, preemption, doorbells and reports, and the engines behind them.
///
/// **Register side** (all but the following): confined to the register thread. Changes to what
/// engines see are made with the engines held at a safepoint, and have taken effect when the call
/// returns; a doorbell only leaves word.
///
/// **Engine side** ([#doWork()], [#prepareToPark()], [#nanosUntilWork()]): one engine thread, which
/// may be the same thread.
public final class Pfifo implements Unit, AutoCloseable {
    private final Mmu mmu;
    private final HostMemory host;
    private final WorkCounters counters;
    private final Reports reports;
    private final Baton baton;
    private final WorkSignal signal;
    private final Scheduler scheduler;
    private final ChannelControl control;
    private final PfifoRegisters registers;

    /// Engine thread only: the baton was not there when it was wanted.
    private boolean turnedAway;

    private volatile boolean closed;

    public Pfifo(PfifoParts parts) {
        mmu = parts.mmu();
        host = parts.host();
        counters = parts.counters();
        reports = Reports.create(parts.interrupt(), counters);
        EngineSide engineSide = EngineSide.create(parts, reports);
        baton = engineSide.baton();
        signal = engineSide.signal();
        scheduler = engineSide.scheduler();
        control = new ChannelControl(parts, reports, engineSide);
        registers = new PfifoRegisters(control, reports);
        parts.graphTrap().onRelease(signal::nudge);
        parts.copyTrap0().onRelease(signal::nudge);
        parts.copyTrap1().onRelease(signal::nudge);
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        registers.declare(table);
    }

    /// Stops all channels and returns to power-on.
    @Override
    public void reset() {
        control.exclusively(() -> {
            forgetAll();
            control.forgetObjects();
        });
    }

    /// Where BAR1 and BAR3 report their faults.
    public FaultSink faults() {
        return reports.faults();
    }

    /// To be called after each write through BAR1: rings the doorbell if the write touched a
    /// channel's put index.
    public void onBar1Write(long barOffset, int width) {
        long intoUserd = barOffset - registers.userdBase();
        if (intoUserd < 0 || intoUserd >= registers.userdBytes()) {
            return;
        }
        int offset = (int) intoUserd % Userd.BYTES;
        if (offset < Userd.IB_PUT + Integer.BYTES && offset + width > Userd.IB_PUT) {
            counters.increment(WorkCounter.DOORBELLS);
            signal.kick((int) (intoUserd / Userd.BYTES));
        }
    }

    /// Acts on bits of 000200 that went from 1 to 0.
    public void resetEngines(int pmcEnableBitsCleared) {
        control.resetByPmc(pmcEnableBitsCleared, this::forgetAll);
    }

    /// Acts on a write of 100cbc. Drops all translations whatever was asked for: that is always
    /// allowed, and flushes are rare.
    ///
    /// @param pdbWord the word in 100cb8
    /// @param trigger the word written to 100cbc
    public void invalidateTlb(int pdbWord, int trigger) {
        counters.increment(WorkCounter.TLB_FLUSHES);
        control.exclusively(mmu::invalidateTranslations);
    }

    /// Adds a DMA mapping, with the engines held. See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    public void mapDma(DmaMapping mapping) {
        control.exclusively(() -> {
            host.map(mapping);
            mmu.invalidateTranslations();
        });
    }

    /// Takes back DMA mappings, with the engines held, and drops all translations, those of BAR
    /// apertures too. See [io.gpuvm.gf100.device.GpuDevice#unmapDma].
    public void unmapDma(long iova, long bytes) {
        control.exclusively(() -> {
            mmu.invalidateTranslations();
            host.unmap(iova, bytes);
        });
    }

    /// Does one bounded piece of work.
    ///
    /// @return how much was done; 0 if there was nothing to do
    public int doWork() {
        signal.unpark();
        turnedAway = !baton.tryTake();
        if (turnedAway) {
            return 0;
        }
        try {
            return closed ? 0 : scheduler.runSlice();
        } finally {
            if (baton.takeKillRequest()) {
                scheduler.killRunning();
            }
            baton.release();
        }
    }

    /// Announces that the engine thread is about to sleep.
    ///
    /// @return false if work came in meanwhile: do not sleep
    public boolean prepareToPark() {
        return !turnedAway && signal.prepareToPark();
    }

    /// How long the engine thread may sleep, after [#doWork()] returned 0: 0 when there is work,
    /// [Long#MAX_VALUE] until woken.
    public long nanosUntilWork() {
        return turnedAway || signal.isPending() ? 0 : scheduler.nanosUntilWork();
    }

    /// Who is to be told, on the register thread, that work came in while the engine thread slept.
    public void onWork(Runnable wake) {
        signal.onWork(wake);
    }

    /// Stops all channels for good.
    @Override
    public void close() {
        control.exclusively(() -> {
            closed = true;
            forgetAll();
        });
    }

    private void forgetAll() {
        control.forgetAll();
        reports.reset();
        registers.reset();
    }
}
