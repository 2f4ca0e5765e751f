package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.port.ShadowArena;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;

/// One of a guest's channels: where it is in its life, and what its slot of the channel table shows
/// of that. Nothing is read back from the slot. Confined to the poller.
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
    final Userd userd = new Userd();
    private final ChannelSlot slot;

    private State state = State.CLOSED;

    /// Whether the guest was told that something went wrong on it.
    private boolean failed;

    private boolean dead;

    GuestSpace space;

    /// Places in the arena, [ShadowArena#NONE] if there are none.
    long instance = ShadowArena.NONE;

    long userdOffset = ShadowArena.NONE;
    int ringEntries;

    /// How far the guest has filled the ring, and how far the GPU was when somebody looked last.
    int put;

    private int get;

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

    State state() {
        return state;
    }

    /// Whether the GPU does nothing more for it.
    boolean isDead() {
        return dead;
    }

    /// Begins its life.
    ///
    /// @param order logarithm of its ring's number of entries
    void begin(GuestSpace in, int order) {
        state = State.OPENING;
        dead = false;
        failed = false;
        space = in;
        ringEntries = 1 << order;
        put = 0;
        get = 0;
        rung = false;
        space.channels++;
        space.shown = true;
    }

    /// The GPU may run it.
    void open() {
        state = State.OPEN;
        slot.open();
    }

    /// Is to be taken off the GPU.
    void end() {
        state = State.CLOSING;
    }

    /// The GPU knows nothing of it any more.
    void close() {
        space.channels--;
        space = null;
        state = State.CLOSED;
        slot.state(ChannelSlot.CLOSED);
    }

    /// Looks how far the GPU has read, and shows it.
    ///
    /// @return whether it came further
    boolean showProgress() {
        int read = userd.ibGet();
        if (read == get) {
            return false;
        }
        get = read;
        slot.get(read);
        return true;
    }

    /// Whether the GPU had read all that was submitted when somebody looked last.
    boolean hasReadAll() {
        return get == put;
    }

    /// Notes that something went wrong on it.
    ///
    /// @param ended whether the GPU does nothing more for it
    /// @return whether this is the first failure, of which the guest is to be told by [#report]
    boolean fail(boolean ended) {
        boolean first = !failed;
        failed = true;
        if (ended && !dead) {
            dead = true;
            if (!first) {
                slot.state(ChannelSlot.DEAD);
            }
        }
        return first;
    }

    /// Shows what went wrong.
    void report(ChannelFailure failure) {
        slot.fail(dead ? ChannelSlot.DEAD : ChannelSlot.FAILED, failure);
    }
}
