package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;

/// What the register thread does to channels and engines: each operation holds the engines at a
/// safepoint, has taken effect when it returns, and leaves word for the engine thread.
///
/// Confined to the register thread.
final class ChannelControl {
    private final Baton baton;
    private final WorkSignal signal;
    private final Channel[] channels;
    private final EngineUse engineUse;
    private final Scheduler scheduler;
    private final Engines engines;
    private final Reports reports;
    private final Mmu mmu;
    private final WorkCounters counters;

    ChannelControl(PfifoParts parts, Reports reports, EngineSide engineSide) {
        baton = engineSide.baton();
        signal = engineSide.signal();
        channels = engineSide.channels();
        engineUse = engineSide.engineUse();
        scheduler = engineSide.scheduler();
        engines = new Engines(parts, reports.engines());
        this.reports = reports;
        mmu = parts.mmu();
        counters = parts.counters();
    }

    /// Runs a change while the engines are held.
    void exclusively(Runnable change) {
        baton.acquire();
        try {
            change.run();
        } finally {
            baton.release();
        }
    }

    /// A driver may have dealt with what a channel waits for.
    void nudge() {
        signal.nudge();
    }

    /// Gives a channel an instance block.
    void bind(int id, MemoryTarget target, long instanceAddress) {
        exclusively(() -> {
            reports.engines().forget(id);
            channels[id].bind(target, instanceAddress);
        });
        signal.kick(id);
    }

    /// Takes a channel's instance block away.
    void unbind(int id) {
        exclusively(() -> {
            reports.engines().forget(id);
            channels[id].unbind();
        });
    }

    /// Lets a channel run or stops it.
    void run(int id, boolean runnable) {
        exclusively(() -> channels[id].runnable = runnable);
        signal.kick(id);
    }

    /// Whether the driver lets a channel run.
    boolean isRunnable(int id) {
        return channels[id].runnable;
    }

    /// What a channel does, without the driver's own bit.
    int statusWord(int id) {
        return channels[id].statusWord();
    }

    /// Takes a runlist from memory; each word is read once.
    void commitRunlist(MemoryTarget target, long address, int entries) {
        counters.increment(WorkCounter.RUNLIST_COMMITS);
        exclusively(() -> {
            scheduler.clearRunlist();
            for (int i = 0; i < entries; i++) {
                long slot = address + (long) i * RunlistEntry.BYTES;
                long entry = mmu.memory().read(target, slot, RunlistEntry.BYTES);
                scheduler.list(channels[RunlistEntry.channel(entry)]);
            }
        });
        signal.kickAll();
        reports.runlistEvent().done();
    }

    /// Takes a channel off its PBDMA and engine. If it may still run it goes on when its turn
    /// comes.
    void preempt(int id) {
        counters.increment(WorkCounter.PREEMPTS);
        exclusively(() -> {
            channels[id].preempt();
            reports.engines().forget(id);
        });
        signal.kick(id);
    }

    /// Bit e: engine e takes no work.
    void freeze(int engineBits) {
        exclusively(() -> engineUse.freeze(engineBits));
        signal.kickAll();
    }

    /// Reports a fault for a unit although nothing faulted, to wake up a hung engine. Whoever uses
    /// the engine is stopped; the report names no channel.
    void injectFault(int engine, int unit) {
        int status =
                FaultStatus.ofHub(FaultReason.PAGE_TABLE_NOT_PRESENT, FaultClient.DISPATCH, false);
        exclusively(() -> {
            for (Channel channel : channels) {
                if (reports.engines().isBusyWith(engine, channel.id)) {
                    channel.die();
                }
            }
            reports.faults().report(unit, 0, 0, status);
        });
    }

    /// Resets the engines, or all of PFIFO, whose bits of 000200 were cleared.
    void resetByPmc(int clearedBits, Runnable resetPfifo) {
        exclusively(() -> {
            engines.reset(clearedBits, channels);
            if (Pmc.ENABLE_PFIFO.isSet(clearedBits)) {
                resetPfifo.run();
            }
        });
        signal.kickAll();
    }

    /// Forgets also what channels keep while they are not bound. Only inside [#exclusively].
    void forgetObjects() {
        for (Channel channel : channels) {
            channel.forgetObjects();
        }
    }

    /// Stops and forgets all channels. Only inside [#exclusively].
    void forgetAll() {
        for (Channel channel : channels) {
            channel.unbind();
            channel.runnable = false;
        }
        scheduler.clearRunlist();
        engineUse.freeze(0);
    }
}
