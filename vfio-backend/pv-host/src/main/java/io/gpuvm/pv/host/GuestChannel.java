package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.port.VmArena;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;

/// One of a guest's channels: where it is in its life, and what its slot of the channel table shows
/// of that. Nothing is read back from the slot. Confined to the poller.
final class GuestChannel {
    /// Where in its life a channel is.
    ///
    /// ```text
    ///           BEGIN            OPEN          END             CLOSE
    ///   CLOSED -------> OPENING ------> OPEN ------> CLOSING --------> CLOSED
    /// ```
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

    /// Names of the transitions.
    enum Transition {
        /// The guest creates it.
        BEGIN,
        /// The GPU may run it.
        OPEN,
        /// The guest destroys it.
        END,
        /// The GPU knows nothing of it any more.
        CLOSE
    }

    /// Its failures, which only get worse.
    private enum Health {
        /// Nothing went wrong on it.
        SOUND,
        /// The guest was told that something went wrong on it.
        FAILED,
        /// The same, and the GPU does nothing more for it.
        DEAD
    }

    private static final TransitionTable<State, Transition> TABLE =
            TransitionTable.of(State.class, Transition.class)
                    .allow(Transition.BEGIN, State.CLOSED, State.OPENING)
                    .allow(Transition.OPEN, State.OPENING, State.OPEN)
                    .allow(Transition.END, State.OPEN, State.CLOSING)
                    .allow(Transition.CLOSE, State.CLOSING, State.CLOSED)
                    .build();

    private final int number;
    private final Userd userd = new Userd();
    private final ChannelSlot slot;

    private State state = State.CLOSED;
    private Health health = Health.SOUND;
    private GuestSpace space;

    /// Places in the arena, [VmArena#NONE] if there are none.
    private long instance = VmArena.NONE;

    private long userdOffset = VmArena.NONE;
    private int ringEntries;

    /// How far the guest has filled the ring, and how far the GPU was when somebody looked last.
    private int put;

    private int get;

    /// Whether the GPU has not yet read all that was submitted.
    private boolean watched;

    /// Whether [#put] is yet to be handed on.
    private boolean rung;

    /// The command that waits for a change of the state.
    private long correlation;

    private boolean quiet;

    GuestChannel(int number, ChannelSlot slot) {
        this.number = number;
        this.slot = slot;
    }

    int number() {
        return number;
    }

    State state() {
        return state;
    }

    /// Whether the GPU does nothing more for it.
    boolean isDead() {
        return health == Health.DEAD;
    }

    /// The address space that it uses. Only while it is not closed.
    GuestSpace space() {
        return space;
    }

    /// Number of entries of its ring.
    int ringEntries() {
        return ringEntries;
    }

    /// The USERD page that hardware uses.
    Userd userd() {
        return userd;
    }

    /// Offset in the arena of its instance block.
    long instance() {
        return instance;
    }

    /// Offset in the arena of its USERD page.
    long userdOffset() {
        return userdOffset;
    }

    /// Says where its blocks lie.
    void place(long instanceAt, long userdAt) {
        instance = instanceAt;
        userdOffset = userdAt;
    }

    /// Notes the command that is answered when the state has changed.
    void answerTo(long commandCorrelation, boolean isQuiet) {
        correlation = commandCorrelation;
        quiet = isQuiet;
    }

    /// Correlation of the command that waits for a change of the state.
    long correlation() {
        return correlation;
    }

    /// Whether that command wants no answer.
    boolean isQuiet() {
        return quiet;
    }

    /// Begins its life.
    ///
    /// @param order logarithm of its ring's number of entries
    void begin(GuestSpace in, int order) {
        change(Transition.BEGIN);
        health = Health.SOUND;
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
        change(Transition.OPEN);
        slot.open();
    }

    /// Is to be taken off the GPU.
    void end() {
        change(Transition.END);
    }

    /// The GPU knows nothing of it any more.
    void close() {
        change(Transition.CLOSE);
        space.channels--;
        space = null;
        slot.state(ChannelSlot.CLOSED);
    }

    /// Notes how far the guest has filled the ring.
    ///
    /// @return whether that is yet to be handed on, and was not before
    boolean submit(int newPut) {
        put = newPut;
        boolean first = !rung;
        rung = true;
        return first;
    }

    /// Takes what is to be handed on.
    ///
    /// @return how far the guest has filled the ring
    int takePut() {
        rung = false;
        return put;
    }

    /// Has the GPU's progress looked at.
    ///
    /// @return whether it was not before
    boolean watch() {
        boolean first = !watched;
        watched = true;
        return first;
    }

    /// Does not have it looked at any more.
    void unwatch() {
        watched = false;
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
        boolean first = health == Health.SOUND;
        if (ended && health != Health.DEAD) {
            health = Health.DEAD;
            if (!first) {
                slot.state(ChannelSlot.DEAD);
            }
        } else if (first) {
            health = Health.FAILED;
        }
        return first;
    }

    /// Shows what went wrong.
    void report(ChannelFailure failure) {
        slot.fail(isDead() ? ChannelSlot.DEAD : ChannelSlot.FAILED, failure);
    }

    /// The only place where the state changes.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }
}
