package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.shadow.ShadowChannel;

/// Channel of a guest in the guest's view: its binding, its shadow, and the last put index of its
/// doorbell. Confined to the virtual machine's thread.
final class VirtualChannel {
    /// States of a channel's binding.
    enum State {
        /// Channel without an instance block.
        UNBOUND,
        /// Channel whose instance block was refused; the driver has not been informed yet.
        REFUSED,
        /// Channel with a shadow, which runs on the GPU.
        BOUND
    }

    /// Transitions between the states.
    enum Transition {
        /// Acceptance of an instance block.
        BIND,
        /// Refusal of an instance block.
        REFUSE,
        /// Report of the refusal to the driver.
        REPORT,
        /// Removal of the instance block by the guest, or restart of the virtual machine.
        UNBIND
    }

    private static final TransitionTable<State, Transition> TABLE =
            TransitionTable.of(State.class, Transition.class)
                    .allow(Transition.BIND, State.UNBOUND, State.BOUND)
                    .allow(Transition.REFUSE, State.UNBOUND, State.REFUSED)
                    .allow(Transition.REPORT, State.REFUSED, State.UNBOUND)
                    .allow(Transition.UNBIND, State.UNBOUND, State.UNBOUND)
                    .allow(Transition.UNBIND, State.REFUSED, State.UNBOUND)
                    .allow(Transition.UNBIND, State.BOUND, State.UNBOUND)
                    .build();

    private State state = State.UNBOUND;

    /// Shadow of the channel; null unless the channel is bound.
    private ShadowChannel shadow;

    /// Put index of the last doorbell.
    private int rung;

    /// Number of former shadows that the GPU has not released yet.
    private int leaving;

    State state() {
        return state;
    }

    /// Returns the shadow, or null if the channel is not bound.
    ShadowChannel shadow() {
        return shadow;
    }

    /// Returns the put index of the last doorbell. Valid only while the channel is bound.
    int rung() {
        return rung;
    }

    /// Records a doorbell.
    void ring(int put) {
        rung = put;
    }

    /// Binds the channel to a shadow.
    ///
    /// @param put current put index of the ring
    void bind(ShadowChannel to, int put) {
        change(Transition.BIND);
        shadow = to;
        rung = put;
    }

    /// Marks the channel as refused: its instance block cannot be used.
    void refuse() {
        change(Transition.REFUSE);
    }

    /// Records that the driver has been informed of the refusal.
    void onReported() {
        change(Transition.REPORT);
    }

    /// Removes the shadow, which the GPU has not released yet.
    ///
    /// @return the shadow, or null if the channel had none
    ShadowChannel unbind() {
        change(Transition.UNBIND);
        ShadowChannel old = shadow;
        shadow = null;
        if (old != null) {
            leaving++;
        }
        return old;
    }

    /// Records that the GPU has released one of the former shadows.
    void onReleased() {
        leaving--;
    }

    /// Removes the shadow after the GPU has released all shadows.
    ///
    /// @return the shadow, or null if the channel had none
    ShadowChannel forget() {
        ShadowChannel old = unbind();
        leaving = 0;
        return old;
    }

    /// Returns whether the channel is bound and the GPU has released all shadows of earlier
    /// bindings.
    boolean isPresent() {
        return state == State.BOUND && leaving == 0;
    }

    /// Changes the state. No other method assigns it.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }
}
