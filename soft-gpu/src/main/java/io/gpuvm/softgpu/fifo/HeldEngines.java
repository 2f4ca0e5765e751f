package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.fifo.ChannelControl;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;

/// Operations of the register thread on channels and engines. Each change is made with the engines
/// held at a safepoint, and has taken effect when the method returns. Therefore no request in
/// PFIFO's registers is ever pending. The engine thread is notified if a channel may continue after
/// the change.
///
/// Confined to the register thread.
final class HeldEngines implements ChannelControl {
    private final Baton baton;
    private final WorkSignal signal;
    private final Channel[] channels;
    private final EngineUse engineUse;
    private final Scheduler scheduler;
    private final EngineResets engines;
    private final FifoReports reports;
    private final WorkCounters counters;
    private final ChannelTimes times;
    private final Mmu mmu;

    HeldEngines(FifoParts parts, FifoReports reports, EngineSide engineSide) {
        baton = engineSide.baton();
        signal = engineSide.signal();
        channels = engineSide.channels();
        engineUse = engineSide.engineUse();
        scheduler = engineSide.scheduler();
        engines = new EngineResets(parts, reports.engines());
        this.reports = reports;
        counters = parts.counters();
        times = parts.times();
        mmu = parts.mmu();
    }

    /// Runs a change with the engines held.
    void exclusively(Runnable change) {
        baton.acquire();
        try {
            times.hold();
            change.run();
        } finally {
            baton.release();
        }
    }

    /// Binds an instance block, and drops all translations: cached contents of a previous instance
    /// block at the same address must not be used.
    @Override
    public void bind(int id, MemoryTarget target, long instanceAddress) {
        exclusively(() -> {
            mmu.invalidateTranslations();
            reports.engines().forget(id);
            channels[id].bind(target, instanceAddress);
        });
        signal.kick(id);
    }

    @Override
    public void unbind(int id) {
        exclusively(() -> {
            reports.engines().forget(id);
            channels[id].unbind();
        });
        // The channel's engine may accept work of other channels again.
        signal.nudge();
    }

    @Override
    public void run(int id, boolean runnable) {
        exclusively(() -> channels[id].runnable(runnable));
        signal.kick(id);
    }

    @Override
    public int status(int id) {
        return channels[id].statusWord();
    }

    @Override
    public boolean commitRunlist(int[] listed, int count) {
        counters.increment(WorkCounter.RUNLIST_COMMITS);
        exclusively(() -> {
            scheduler.clearRunlist();
            for (int i = 0; i < count; i++) {
                scheduler.list(channels[listed[i]]);
            }
        });
        signal.kickAll();
        return true;
    }

    @Override
    public boolean preempt(int id) {
        counters.increment(WorkCounter.PREEMPTS);
        exclusively(() -> {
            channels[id].preempt();
            reports.engines().forget(id);
        });
        signal.kick(id);
        return true;
    }

    /// Returns the position of the kernel that a channel has begun and not ended; null if there is
    /// none.
    KernelPosition kernelPosition(int id) {
        KernelPosition[] position = new KernelPosition[1];
        exclusively(() -> {
            ClassObject unfinished = channels[id].unfinished();
            position[0] = unfinished == null ? null : unfinished.kernelPosition();
        });
        return position[0];
    }

    @Override
    public void freeze(int engineBits) {
        exclusively(() -> engineUse.freeze(engineBits));
        signal.kickAll();
    }

    /// Stops the channel that uses the engine, and reports a fault; the report names no channel.
    @Override
    public void injectFault(int engine, int unit) {
        int status =
                FaultStatus.ofHub(FaultReason.PAGE_TABLE_NOT_PRESENT, FaultClient.DISPATCH, false);
        exclusively(() -> {
            for (Channel channel : channels) {
                if (reports.engines().isBusyWith(engine, channel.id())) {
                    channel.die();
                }
            }
            reports.faults().report(unit, 0, 0, status);
        });
    }

    @Override
    public void releaseFaults(int units) {
        signal.nudge();
    }

    @Override
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        signal.nudge();
    }

    /// Resets the engines whose bits in register 0x000200 were cleared, and likewise all of PFIFO.
    void resetByPmc(int clearedBits, Runnable resetPfifo) {
        exclusively(() -> {
            engines.reset(clearedBits, channels);
            if (Pmc.ENABLE_PFIFO.isSet(clearedBits)) {
                resetPfifo.run();
            }
        });
        signal.kickAll();
    }

    /// Discards the objects that channels retain while unbound. Must be called inside
    /// [#exclusively].
    void forgetObjects() {
        for (Channel channel : channels) {
            channel.forgetObjects();
        }
    }

    /// Stops all channels and discards their state. Must be called inside [#exclusively].
    void forgetAll() {
        for (Channel channel : channels) {
            channel.unbind();
            channel.runnable(false);
        }
        scheduler.clearRunlist();
        engineUse.freeze(0);
    }
}
