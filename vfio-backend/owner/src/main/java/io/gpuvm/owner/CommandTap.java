package io.gpuvm.owner;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;

/// Overhears what becomes of commands, and all else that the scheduler is told. Called on the
/// owner's thread, in the order in which things happen.
///
/// Virtual machines are numbered in the order in which they were attached, channels as their guests
/// do, engines are numbers of [ScheduledEngine]. A channel has one command at most that is queued
/// or has started.
public interface CommandTap {
    /// Listens to nothing.
    CommandTap NONE =
            new CommandTap() {
                @Override
                public void onSubmitted(int vm, int channel, int engine, long nowNs) {}

                @Override
                public void onStarted(int vm, int channel, int engine, long nowNs) {}

                @Override
                public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {}
            };

    /// A command was queued for an engine.
    void onSubmitted(int vm, int channel, int engine, long nowNs);

    /// The scheduler has chosen a command, and it runs.
    void onStarted(int vm, int channel, int engine, long nowNs);

    /// A command that was queued will not be started: its channel may not run, or is gone. It is
    /// submitted again when it may.
    default void onWithdrawn(int vm, int channel, int engine, long nowNs) {}

    /// A command has ended, or was ended.
    ///
    /// @param engine that it was queued for
    /// @param usedNs time of that engine that it was charged
    void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs);

    /// A command is charged before it has completed: for an engine that it was not queued for, or
    /// for what it used until it began to wait.
    default void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {}

    /// A virtual machine is entitled to this from now on.
    default void onShare(int vm, TimeShare share, long nowNs) {}

    /// This policy decides from now on.
    default void onPolicy(PolicyKind policy, long nowNs) {}
}
