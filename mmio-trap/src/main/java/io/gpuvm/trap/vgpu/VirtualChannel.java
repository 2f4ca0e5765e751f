package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.shadow.ShadowChannel;

/// One channel of a guest, from the guest's point of view: whether it is bound, to which shadow,
/// and how far its doorbell rang. Confined to the virtual machine's thread.
final class VirtualChannel {
    /// Whether the guest has bound the channel.
    enum State {
        /// It has no instance block.
        UNBOUND,
        /// Its instance block was refused, and the driver has not heard of it.
        REFUSED,
        /// It has a shadow, which the GPU is given.
        BOUND
    }

    /// Names of the transitions.
    enum Transition {
        /// Its instance block is accepted.
        BIND,
        /// Its instance block is refused.
        REFUSE,
        /// The driver hears of the refusal.
        TELL,
        /// The guest takes its instance block away, or the machine starts anew.
        UNBIND
    }

    private static final TransitionTable<State, Transition> TABLE =
            TransitionTable.of(State.class, Transition.class)
                    .allow(Transition.BIND, State.UNBOUND, State.BOUND)
                    .allow(Transition.REFUSE, State.UNBOUND, State.REFUSED)
                    .allow(Transition.TELL, State.REFUSED, State.UNBOUND)
                    .allow(Transition.UNBIND, State.UNBOUND, State.UNBOUND)
                    .allow(Transition.UNBIND, State.REFUSED, State.UNBOUND)
                    .allow(Transition.UNBIND, State.BOUND, State.UNBOUND)
                    .build();

    private State state = State.UNBOUND;

    /// Null unless it is bound.
    private ShadowChannel shadow;

    /// Put index that the doorbell rang for last.
    private int rung;

    /// Number of its shadows of which the GPU has not let go yet.
    private int leaving;

    State state() {
        return state;
    }

    /// Its shadow, null if it is not bound.
    ShadowChannel shadow() {
        return shadow;
    }

    /// Put index that the doorbell rang for last. Only while it is bound.
    int rung() {
        return rung;
    }

    /// Notes that the doorbell rang.
    void ring(int put) {
        rung = put;
    }

    /// Gets a shadow.
    ///
    /// @param put index at which its ring stands
    void bind(ShadowChannel to, int put) {
        change(Transition.BIND);
        shadow = to;
        rung = put;
    }

    /// Gets no shadow: its instance block cannot be used.
    void refuse() {
        change(Transition.REFUSE);
    }

    /// The driver hears that it was refused.
    void tell() {
        change(Transition.TELL);
    }

    /// Loses its shadow, of which the GPU is yet to let go.
    ///
    /// @return the shadow, null if it had none
    ShadowChannel unbind() {
        change(Transition.UNBIND);
        ShadowChannel old = shadow;
        shadow = null;
        if (old != null) {
            leaving++;
        }
        return old;
    }

    /// The GPU has let go of one of its shadows.
    void left() {
        leaving--;
    }

    /// Loses its shadow; the GPU has let go of everything.
    ///
    /// @return the shadow, null if it had none
    ShadowChannel forget() {
        ShadowChannel old = unbind();
        leaving = 0;
        return old;
    }

    /// Whether it is bound, and the GPU has nothing left of an earlier binding.
    boolean isPresent() {
        return state == State.BOUND && leaving == 0;
    }

    /// The only place where the state changes.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }
}
