package io.gpuvm.owner;

import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;

/// Submits commands to the scheduler, charges their time, and notifies the listener.
///
/// **Charges.** A command's whole time is charged on each engine that the command holds or was
/// observed on, because no other command could use these engines. A command is charged when it ends
/// and when it begins to wait.
///
/// Confined to the owner's thread.
final class CommandLedger {
    private final GpuScheduler scheduler;
    private CommandTap tap = CommandTap.NONE;

    CommandLedger(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Sets the listener. Called once, before any other method.
    void onCommands(CommandTap listener) {
        tap = listener;
    }

    /// Returns the listener.
    CommandTap tap() {
        return tap;
    }

    /// Submits a channel's command for the engine that it requests.
    ///
    /// @return false if the queue is full
    boolean submit(OwnedChannel channel, long nowNs) {
        ScheduledEngine wanted = channel.needs().wanted();
        int engine = wanted.ordinal();
        AttachedVm vm = channel.vm();
        int session = channel.session().number;
        if (!scheduler.submit(vm.account(), session, engine, channel.physicalId(), nowNs)) {
            return false;
        }
        channel.queue(wanted);
        tapOf(channel).onSubmitted(vm.number, session, channel.guestId(), engine, nowNs);
        return true;
    }

    /// Removes the first command from an account's queue and records the start of the command.
    void take(OwnedChannel channel, VmAccount turn, int engine, long nowNs) {
        scheduler.take(turn, engine, nowNs);
        int queuedFor = channel.needs().queuedFor().ordinal();
        tapOf(channel).onStarted(channel.vm().number, channel.guestId(), queuedFor, nowNs);
    }

    /// Removes a channel's command from its queue without starting it.
    void withdraw(OwnedChannel channel, long nowNs) {
        int engine = channel.needs().queuedFor().ordinal();
        scheduler.withdraw(channel.vm().account(), engine, channel.physicalId(), nowNs);
        tapOf(channel).onWithdrawn(channel.vm().number, channel.guestId(), engine, nowNs);
    }

    /// Charges a command in flight for the time used and not yet charged.
    private void charge(OwnedChannel channel, long nowNs) {
        long newNs = channel.time().takeUncharged();
        charge(channel, channel.needs().charged(), newNs, nowNs);
        channel.session().showGpuTime();
    }

    /// Charges a command in flight that begins to wait.
    void park(OwnedChannel channel, long nowNs) {
        charge(channel, nowNs);
        int engine = channel.needs().queuedFor().ordinal();
        tapOf(channel).onParked(channel.vm().number, channel.guestId(), engine, nowNs);
    }

    /// Records that a command uses its engine again.
    void resume(OwnedChannel channel, long nowNs) {
        int engine = channel.needs().queuedFor().ordinal();
        tapOf(channel).onResumed(channel.vm().number, channel.guestId(), engine, nowNs);
    }

    /// Records that the owner stops a channel.
    void killed(OwnedChannel channel, long nowNs) {
        tapOf(channel).onKilled(channel.vm().number, channel.guestId(), nowNs);
    }

    /// Records that an MMU fault has stopped a channel.
    void faulted(OwnedChannel channel, long nowNs) {
        tapOf(channel).onFault(channel.vm().number, channel.guestId(), nowNs);
    }

    /// Charges a command that has completed, or has to wait for its next turn.
    void complete(OwnedChannel channel, long nowNs) {
        channel.count(nowNs);
        EngineNeeds needs = channel.needs();
        long newNs = channel.time().takeUncharged();
        int engine = needs.queuedFor().ordinal();
        charge(channel, needs.charged() & ~needs.queuedFor().bit(), newNs, nowNs);
        scheduler.completed(channel.vm().account(), engine, newNs, nowNs);
        channel.session().charge(newNs);
        channel.session().showGpuTime();
        tapOf(channel).onCompleted(channel.vm().number, channel.guestId(), engine, newNs, nowNs);
        needs.learn();
    }

    private void charge(OwnedChannel channel, int engines, long ns, long nowNs) {
        for (int bits = engines; bits != 0; bits &= bits - 1) {
            int engine = Integer.numberOfTrailingZeros(bits);
            scheduler.charge(channel.vm().account(), engine, ns, nowNs);
            channel.session().charge(ns);
            tapOf(channel).onCharged(channel.vm().number, channel.guestId(), engine, ns, nowNs);
        }
    }

    /// Returns the listener, or [CommandTap#NONE] for the owner's own commands.
    private CommandTap tapOf(OwnedChannel channel) {
        return channel.vm().number == AttachedVm.OWNER ? CommandTap.NONE : tap;
    }
}
