package io.gpuvm.owner;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;

/// Listener for the states of commands, and for all other events that reach the scheduler. Called
/// on the owner's thread, in the order of the events.
///
/// Virtual machines have the numbers of their attachments, channels are numbered by their guests,
/// engines by [ScheduledEngine]. A channel has at most one command that is queued or has started.
public interface CommandTap {
    /// Listener that ignores all events.
    CommandTap NONE =
            new CommandTap() {
                @Override
                public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {}

                @Override
                public void onStarted(int vm, int channel, int engine, long nowNs) {}

                @Override
                public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {}
            };

    /// Called when a command has been queued for an engine.
    ///
    /// @param session number of the channel's session in the virtual machine; the sessions take
    ///   turns
    void onSubmitted(int vm, int session, int channel, int engine, long nowNs);

    /// Called when the scheduler has chosen a command, which then runs.
    void onStarted(int vm, int channel, int engine, long nowNs);

    /// Called when a queued command is withdrawn because its channel may not run or has been
    /// unbound. The command is submitted again when its channel may run.
    default void onWithdrawn(int vm, int channel, int engine, long nowNs) {}

    /// Called when a command has completed or has been stopped.
    ///
    /// @param engine engine for which the command was queued
    /// @param usedNs time of that engine charged to the command
    void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs);

    /// Called when a command is charged before it has completed: for an engine other than that of
    /// its queue, or for the time until the command began to wait.
    default void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {}

    /// Called when a started command begins to wait and leaves its engine, after [#onCharged].
    ///
    /// @param engine engine for which the command was queued
    default void onParked(int vm, int channel, int engine, long nowNs) {}

    /// Called when a started command uses its engine again after [#onParked].
    ///
    /// @param engine engine for which the command was queued
    default void onResumed(int vm, int channel, int engine, long nowNs) {}

    /// Called when the owner stops a channel: its command exceeds the limit or is ended by the
    /// administrator, or its guest does not handle an error.
    default void onKilled(int vm, int channel, long nowNs) {}

    /// Called when an MMU fault has stopped a channel.
    default void onFault(int vm, int channel, long nowNs) {}

    /// Called when the share of a virtual machine has changed.
    default void onShare(int vm, TimeShare share, long nowNs) {}

    /// Called when the policy has changed.
    default void onPolicy(PolicyKind policy, long nowNs) {}
}
