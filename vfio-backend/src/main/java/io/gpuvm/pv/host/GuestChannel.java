package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.shadow.ShadowArena;

/// One of a guest's channels. Confined to the poller.
final class GuestChannel {
    /// Where in its life a channel is.
    enum State {
        /// There is none of this number.
        CLOSED,
        /// The GPU's owner was asked to let it run.
        OPENING,
        /// It can be used, though perhaps it is dead.
        OPEN,
        /// The GPU's owner was asked to take it off the GPU.
        CLOSING
    }

    final int number;
    final ChannelSlot slot;
    final Userd userd = new Userd();

    State state = State.CLOSED;

    /// Whether the guest was told that something went wrong on it.
    boolean failed;

    /// Whether the GPU does nothing more for it.
    boolean dead;

    GuestSpace space;

    /// Places in the arena, [ShadowArena#NONE] if there are none.
    long instance = ShadowArena.NONE;

    long userdOffset = ShadowArena.NONE;
    int ringEntries;

    /// How far the guest has filled the ring, and how far the GPU was when somebody looked last.
    int put;

    int get;

    /// Whether the GPU has not yet read all that was submitted.
    boolean watched;

    /// Whether [#put] is yet to be handed on.
    boolean rung;

    /// The command that waits for a change of the state.
    long correlation;

    boolean quiet;

    GuestChannel(int number, ChannelSlot slot) {
        this.number = number;
        this.slot = slot;
    }
}
