package io.gpuvm.owner;

import io.gpuvm.gf100.unit.fifo.TransitionTable;

/// State of a channel of a virtual machine, as the owner sees it.
///
/// ```text
///             BIND          QUEUE          START           PARK
///   UNBOUND --------> IDLE -------> QUEUED ------> RUNNING ------> PARKED
///      ^               ^ <-------------+              |  <----------- |
///      |               |    WITHDRAW                  |     GO_ON     |
///      | UNBIND        +------------------------------+---------------+
///      |                           COMPLETE           | HOLD_BACK     |
///    DEAD <-- DIE, from all but UNBOUND               v               |
///                                    QUEUE        HELD_BACK <---------+
///                       REQUEUED <---------------   ^
///                           |  +--------------------+
///                           |         WITHDRAW
///                           +----> RUNNING, by START
/// ```
enum ChannelState {
    /// Unbound channel, without a physical channel.
    UNBOUND,
    /// Channel without a command: the last doorbell's work is complete, or no turn has been
    /// requested for it yet.
    IDLE,
    /// Channel with a command that waits for its turn.
    QUEUED,
    /// Channel with a running command.
    RUNNING,
    /// Channel with a started command that waits for a semaphore, or that its guest has removed
    /// from the GPU. The command neither uses the GPU nor is charged.
    PARKED,
    /// Channel with a started command that was stopped and is not queued yet.
    HELD_BACK,
    /// Channel with a started command that was stopped and waits for its turn.
    REQUEUED,
    /// Channel after a fault or a stop: the GPU does no work for it until it is bound again.
    DEAD;

    /// Transition between two states.
    enum Transition {
        /// Binding by the guest to an available physical channel.
        BIND,
        /// Submission of the channel's command to the scheduler.
        QUEUE,
        /// Withdrawal of a queued command that may not run.
        WITHDRAW,
        /// Start of the command in its turn.
        START,
        /// Start of a wait of the command for an event other than its turn.
        PARK,
        /// End of the wait.
        GO_ON,
        /// Completion of the command.
        COMPLETE,
        /// Stop of the command until its next turn.
        HOLD_BACK,
        /// Permanent removal of the channel from the GPU.
        DIE,
        /// Release of the physical channel.
        UNBIND
    }

    private static final TransitionTable<ChannelState, Transition> TABLE =
            TransitionTable.of(ChannelState.class, Transition.class)
                    .allow(Transition.BIND, UNBOUND, IDLE)
                    .allow(Transition.QUEUE, IDLE, QUEUED)
                    .allow(Transition.QUEUE, HELD_BACK, REQUEUED)
                    .allow(Transition.WITHDRAW, QUEUED, IDLE)
                    .allow(Transition.WITHDRAW, REQUEUED, HELD_BACK)
                    .allow(Transition.START, QUEUED, RUNNING)
                    .allow(Transition.START, REQUEUED, RUNNING)
                    .allow(Transition.PARK, RUNNING, PARKED)
                    .allow(Transition.GO_ON, PARKED, RUNNING)
                    .allow(Transition.COMPLETE, RUNNING, IDLE)
                    .allow(Transition.COMPLETE, PARKED, IDLE)
                    .allow(Transition.HOLD_BACK, RUNNING, HELD_BACK)
                    .allow(Transition.HOLD_BACK, PARKED, HELD_BACK)
                    .allow(Transition.DIE, IDLE, DEAD)
                    .allow(Transition.DIE, QUEUED, DEAD)
                    .allow(Transition.DIE, RUNNING, DEAD)
                    .allow(Transition.DIE, PARKED, DEAD)
                    .allow(Transition.DIE, HELD_BACK, DEAD)
                    .allow(Transition.DIE, REQUEUED, DEAD)
                    .allow(Transition.DIE, DEAD, DEAD)
                    .allow(Transition.UNBIND, DEAD, UNBOUND)
                    .build();

    /// Returns the state to which a transition leads.
    ///
    /// @throws IllegalStateException if the transition is illegal in this state
    ChannelState after(Transition transition) {
        return TABLE.after(this, transition);
    }

    /// Returns whether a transition is legal in this state.
    boolean allows(Transition transition) {
        return TABLE.allows(this, transition);
    }

    /// Returns whether a command waits for its turn.
    boolean isQueued() {
        return this == QUEUED || this == REQUEUED;
    }

    /// Returns whether a started command is held back until its next turn.
    boolean isHeldBack() {
        return this == HELD_BACK || this == REQUEUED;
    }
}
