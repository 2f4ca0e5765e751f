package io.gpuvm.backend.owner;

import io.gpuvm.backend.owner.OwnedChannel.Work;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import java.util.ArrayList;
import java.util.List;

/// Commands from doorbell to completion: a command is what a channel's ring holds when its turn
/// comes.
///
/// One command uses the GPU at a time. One that waits for a semaphore does not use it: others run
/// meanwhile, among them perhaps the one that it waits for. A command is done when the GPU has read
/// all of it, no engine is busy with the channel, and the channel does not wait.
///
/// Confined to the owner's thread.
final class CommandRunner {
    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};

    private final PhysicalFifo fifo;
    private final GpuScheduler scheduler;
    private final ChannelPool pool;
    private final long limitNs;
    private final List<OwnedChannel> started = new ArrayList<>();

    /// @param limitNs GPU time after which a command is ended
    CommandRunner(PhysicalFifo fifo, GpuScheduler scheduler, ChannelPool pool, long limitNs) {
        this.fifo = fifo;
        this.scheduler = scheduler;
        this.pool = pool;
        this.limitNs = limitNs;
    }

    /// The guest rang a channel's doorbell.
    void ring(OwnedChannel channel, int put, long nowNs) {
        channel.wantedPut = put;
        offer(channel, nowNs);
    }

    /// Queues what a channel wants, if it may run and has nothing queued or running.
    void offer(OwnedChannel channel, long nowNs) {
        boolean ready =
                channel.isBound()
                        && !channel.dead
                        && channel.runnable
                        && channel.listed
                        && channel.vm.frozenEngines == 0
                        && channel.work == Work.NONE
                        && channel.wantedPut != channel.rungPut;
        if (ready && scheduler.submit(channel.vm.account(), channel.physicalId, nowNs)) {
            channel.work = Work.QUEUED;
        }
    }

    /// Looks after what runs and starts what is next.
    ///
    /// @return how much happened
    int doWork(long nowNs) {
        int work = 0;
        boolean busy = false;
        for (int i = started.size() - 1; i >= 0; i--) {
            OwnedChannel channel = started.get(i);
            if (observe(channel, nowNs)) {
                work++;
            }
            busy |= channel.work == Work.RUNNING;
        }
        if (!busy) {
            VmAccount next = scheduler.next(nowNs);
            if (next != null) {
                start(pool.holder((int) scheduler.take(next)), nowNs);
                work++;
            }
        }
        return work;
    }

    /// Whether anything runs, so that somebody should look again soon.
    boolean isBusy() {
        return !started.isEmpty();
    }

    /// Whether a command of a virtual machine uses the GPU or waits in it.
    boolean isRunning(AttachedVm vm) {
        for (int i = 0; i < started.size(); i++) {
            if (started.get(i).vm == vm) {
                return true;
            }
        }
        return false;
    }

    /// A command that runs for longer than allowed; null if there is none.
    OwnedChannel overdue(long nowNs) {
        for (int i = 0; i < started.size(); i++) {
            OwnedChannel channel = started.get(i);
            if (channel.work == Work.RUNNING
                    && channel.usedNs + nowNs - channel.runningSinceNs > limitNs) {
                return channel;
            }
        }
        return null;
    }

    /// Forgets what a channel has queued or running, after it was taken off its engine or died.
    void abandon(OwnedChannel channel, long nowNs) {
        if (started.remove(channel)) {
            charge(channel, nowNs);
        }
        // What is queued stays in the queue, and is passed over when its turn comes.
        channel.work = Work.NONE;
    }

    private void start(OwnedChannel channel, long nowNs) {
        if (channel == null || channel.work != Work.QUEUED) {
            return; // abandoned meanwhile
        }
        channel.rungPut = channel.wantedPut;
        channel.usedNs = 0;
        channel.runningSinceNs = nowNs;
        channel.work = Work.RUNNING;
        channel.vm.worked = true;
        started.add(channel);
        fifo.ring(channel.physicalId, channel.rungPut);
    }

    /// @return whether the command has ended or changed its state
    private boolean observe(OwnedChannel channel, long nowNs) {
        boolean waits = fifo.waits(channel.physicalId);
        if (channel.hasRead() && !waits && !isOnAnEngine(channel)) {
            started.remove(channel);
            charge(channel, nowNs);
            channel.work = Work.NONE;
            offer(channel, nowNs);
            return true;
        }
        if (waits && channel.work == Work.RUNNING) {
            channel.usedNs += nowNs - channel.runningSinceNs;
            channel.work = Work.PARKED;
            return true;
        }
        if (!waits && channel.work == Work.PARKED) {
            channel.runningSinceNs = nowNs;
            channel.work = Work.RUNNING;
            return true;
        }
        return false;
    }

    private void charge(OwnedChannel channel, long nowNs) {
        if (channel.work == Work.RUNNING) {
            channel.usedNs += nowNs - channel.runningSinceNs;
        }
        scheduler.completed(channel.vm.account(), channel.usedNs, nowNs);
    }

    private boolean isOnAnEngine(OwnedChannel channel) {
        for (EngineId engine : ENGINES) {
            if (fifo.isBusyWith(engine, channel.physicalId)) {
                return true;
            }
        }
        return false;
    }
}
