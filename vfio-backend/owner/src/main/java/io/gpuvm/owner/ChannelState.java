package io.gpuvm.owner;

import io.gpuvm.gf100.unit.fifo.TransitionTable;

/// State of a channel of a virtual machine, as the owner knows it.
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
    /// It has no physical channel.
    UNBOUND,
    /// Nothing is left of what was rung for, or its turn has not been asked for.
    IDLE,
    /// A command waits for its turn.
    QUEUED,
    /// A command runs.
    RUNNING,
    /// A command runs, but waits for a semaphore, or its guest has taken it off the GPU: it neither
    /// uses the GPU nor is charged.
    PARKED,
    /// A command that had begun was stopped and does not wait for its turn yet.
    HELD_BACK,
    /// A command that had begun was stopped and waits for its turn.
    REQUEUED,
    /// It faulted or was stopped: the GPU does nothing for it until it is bound again.
    DEAD;

    /// Names of the transitions.
    enum Transition {
        /// Its guest binds it, and there is a physical channel for it.
        BIND,
        /// Its command is submitted to the scheduler.
        QUEUE,
        /// The scheduler's choice fell on a command that may not run.
        WITHDRAW,
        /// Its turn has come.
        START,
        /// Its command waits for something else than its turn.
        PARK,
        /// Its command does not wait any more.
        GO_ON,
        /// Its command has ended.
        COMPLETE,
        /// Its command is stopped until it has its turn again.
        HOLD_BACK,
        /// It is taken off the GPU for good.
        DIE,
        /// Its physical channel is given back.
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
    /// @throws IllegalStateException if it is not legal in this state
    ChannelState after(Transition transition) {
        return TABLE.after(this, transition);
    }

    /// Whether a transition is legal in this state.
    boolean allows(Transition transition) {
        return TABLE.allows(this, transition);
    }

    /// Whether a command has started and not ended, so that somebody looks after it.
    boolean isStarted() {
        return this == RUNNING || this == PARKED;
    }

    /// Whether a command waits for its turn.
    boolean isQueued() {
        return this == QUEUED || this == REQUEUED;
    }

    /// Whether a command that had begun is kept from going on until its turn comes again.
    boolean isHeldBack() {
        return this == HELD_BACK || this == REQUEUED;
    }
}
