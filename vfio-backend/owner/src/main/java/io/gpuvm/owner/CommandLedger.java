package io.gpuvm.owner;

import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;

/// Commands as the scheduler, and everybody who listens, are told of them.
///
/// **Charges.** Each engine that a command has for itself, or was seen on, is charged for all of
/// its time, for nobody else had it then: at the command's end, and whenever it begins to wait.
///
/// Confined to the owner's thread.
final class CommandLedger {
    private final GpuScheduler scheduler;
    private CommandTap tap = CommandTap.NONE;

    CommandLedger(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Has a listener told of commands. Called once, before anything else.
    void onCommands(CommandTap listener) {
        tap = listener;
    }

    /// The listener.
    CommandTap tap() {
        return tap;
    }

    /// Submits a channel's command for the engine that it wants.
    ///
    /// @return false if the queue is full
    boolean submit(OwnedChannel channel, long nowNs) {
        ScheduledEngine wanted = channel.needs().wanted();
        int engine = wanted.ordinal();
        if (!scheduler.submit(channel.vm().account(), engine, channel.physicalId(), nowNs)) {
            return false;
        }
        channel.queue(wanted);
        tapOf(channel).onSubmitted(channel.vm().number, channel.guestId(), engine, nowNs);
        return true;
    }

    /// Takes the first command of an account from its queue, which starts.
    void take(OwnedChannel channel, VmAccount turn, int engine, long nowNs) {
        scheduler.take(turn, engine, nowNs);
        int queuedFor = channel.needs().queuedFor().ordinal();
        tapOf(channel).onStarted(channel.vm().number, channel.guestId(), queuedFor, nowNs);
    }

    /// Takes a channel's command from its queue, which will not start.
    void withdraw(OwnedChannel channel, long nowNs) {
        int engine = channel.needs().queuedFor().ordinal();
        scheduler.withdraw(channel.vm().account(), engine, channel.physicalId(), nowNs);
        tapOf(channel).onWithdrawn(channel.vm().number, channel.guestId(), engine, nowNs);
    }

    /// Charges what a command has used and was not charged for, while it is under way.
    void charge(OwnedChannel channel, long nowNs) {
        long newNs = channel.time().takeUncharged();
        charge(channel, channel.needs().charged(), newNs, nowNs);
        channel.vm().status().showGpuTime(channel.vm().account().usedNs());
    }

    /// The same, and the command has ended, or has to wait for its turn.
    void complete(OwnedChannel channel, long nowNs) {
        channel.count(nowNs);
        EngineNeeds needs = channel.needs();
        long newNs = channel.time().takeUncharged();
        int engine = needs.queuedFor().ordinal();
        charge(channel, needs.charged() & ~needs.queuedFor().bit(), newNs, nowNs);
        scheduler.completed(channel.vm().account(), engine, newNs, nowNs);
        channel.vm().status().showGpuTime(channel.vm().account().usedNs());
        tapOf(channel).onCompleted(channel.vm().number, channel.guestId(), engine, newNs, nowNs);
        needs.learn();
    }

    private void charge(OwnedChannel channel, int engines, long ns, long nowNs) {
        for (int bits = engines; bits != 0; bits &= bits - 1) {
            int engine = Integer.numberOfTrailingZeros(bits);
            scheduler.charge(channel.vm().account(), engine, ns, nowNs);
            tapOf(channel).onCharged(channel.vm().number, channel.guestId(), engine, ns, nowNs);
        }
    }

    /// Nobody is told of what the owner does itself.
    private CommandTap tapOf(OwnedChannel channel) {
        return channel.vm().number == AttachedVm.OWNER ? CommandTap.NONE : tap;
    }
}
