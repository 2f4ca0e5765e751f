package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.unit.fifo.TransitionTable;

/// State of a channel of the software GPU, which determines its next slice.
enum RunState {
    /// Does not run until it is kicked.
    IDLE,
    /// Can continue.
    READY,
    /// Polls the semaphore that it waits for.
    ACQUIRING,
    /// Does not run until the driver has acknowledged a condition.
    HELD,
    /// Does not run until it is bound again, after a fault or a hang of its engine.
    DEAD;

    /// Transitions between states.
    enum Transition {
        /// The channel may have work.
        KICK,
        /// A slice begins: the channel re-evaluates any condition that it waits for.
        TURN,
        /// The channel has no work.
        REST,
        /// The semaphore does not have the expected value.
        ACQUIRE,
        /// The channel stops until the driver has acknowledged a condition.
        HOLD,
        /// The channel leaves its engine; a wait for a semaphore ends.
        PREEMPT,
        /// The channel stops until it is bound again.
        DIE,
        /// The channel is bound or unbound.
        FORGET
    }

    /// Legal transitions. Memory may be truncated before a slice begins, so a waiting channel can
    /// become idle.
    private static final TransitionTable<RunState, Transition> TABLE =
            TransitionTable.of(RunState.class, Transition.class)
                    .allow(Transition.KICK, IDLE, READY)
                    .allow(Transition.TURN, READY, READY)
                    .allow(Transition.TURN, ACQUIRING, READY)
                    .allow(Transition.TURN, HELD, READY)
                    .allow(Transition.REST, READY, IDLE)
                    .allow(Transition.REST, ACQUIRING, IDLE)
                    .allow(Transition.REST, HELD, IDLE)
                    .allow(Transition.ACQUIRE, READY, ACQUIRING)
                    .allow(Transition.HOLD, READY, HELD)
                    .allow(Transition.HOLD, ACQUIRING, HELD)
                    .allow(Transition.HOLD, HELD, HELD)
                    .allow(Transition.PREEMPT, ACQUIRING, READY)
                    .allow(Transition.DIE, IDLE, DEAD)
                    .allow(Transition.DIE, READY, DEAD)
                    .allow(Transition.DIE, ACQUIRING, DEAD)
                    .allow(Transition.DIE, HELD, DEAD)
                    .allow(Transition.DIE, DEAD, DEAD)
                    .allow(Transition.FORGET, IDLE, IDLE)
                    .allow(Transition.FORGET, READY, IDLE)
                    .allow(Transition.FORGET, ACQUIRING, IDLE)
                    .allow(Transition.FORGET, HELD, IDLE)
                    .allow(Transition.FORGET, DEAD, IDLE)
                    .build();

    /// Returns the state to which a transition leads.
    ///
    /// @throws IllegalStateException if the transition is not legal in this state
    RunState after(Transition transition) {
        return TABLE.after(this, transition);
    }
}
