package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.unit.fifo.TransitionTable;

/// What a channel of the software GPU does when its turn comes.
enum RunState {
    /// Nothing, until it is kicked.
    IDLE,
    /// Goes on.
    READY,
    /// Looks again whether a semaphore has the value it waits for.
    ACQUIRING,
    /// Nothing, until the driver has acknowledged something.
    HELD,
    /// Nothing any more, until it is bound again: it faulted, or hangs on an engine.
    DEAD;

    /// Names of the transitions.
    enum Transition {
        /// It may have work.
        KICK,
        /// Its turn has come: whatever it waited for, it looks again.
        TURN,
        /// It has nothing to do.
        REST,
        /// A semaphore does not have the value that it waits for.
        ACQUIRE,
        /// It stops until the driver has acknowledged something.
        HOLD,
        /// It leaves its engine; a wait for a semaphore ends.
        PREEMPT,
        /// It stops for good.
        DIE,
        /// It is bound or unbound.
        FORGET
    }

    /// Memory may be cut off before a turn begins, so that one that waits can come to rest.
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
    /// @throws IllegalStateException if it is not legal in this state
    RunState after(Transition transition) {
        return TABLE.after(this, transition);
    }
}
