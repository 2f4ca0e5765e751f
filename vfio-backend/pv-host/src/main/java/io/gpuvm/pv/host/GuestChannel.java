package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.port.VmArena;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;

/// One of a guest's channels: its state, and the part of this state that its slot in the channel
/// table shows to the guest. The host only writes the slot. Confined to the poller.
final class GuestChannel {
    /// States of a channel.
    ///
    /// ```text
    ///           BEGIN            OPEN          END             CLOSE
    ///   CLOSED -------> OPENING ------> OPEN ------> CLOSING --------> CLOSED
    /// ```
    enum State {
        /// Unused number, without a channel.
        CLOSED,
        /// Pending request to the GPU's owner to run the channel.
        OPENING,
        /// Usable channel, unless it is dead.
        OPEN,
        /// Pending request to the GPU's owner to remove the channel from the GPU.
        CLOSING
    }

    /// Transitions between the states.
    enum Transition {
        /// Creation by the guest.
        BEGIN,
        /// Completion of the opening: the GPU may run the channel.
        OPEN,
        /// Destruction by the guest.
        END,
        /// Completion of the removal: the GPU no longer holds any state of the channel.
        CLOSE
    }

    /// Failure states of a channel, in order of severity; a channel never recovers.
    private enum Health {
        /// No failure.
        SOUND,
        /// Failure that was reported to the guest.
        FAILED,
        /// Reported failure after which the GPU executes no more commands of the channel.
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

    /// Id in the virtual machine. Valid only while the channel is not closed.
    private int id;

    private final Userd userd = new Userd();
    private final ChannelSlot slot;

    private State state = State.CLOSED;
    private Health health = Health.SOUND;
    private GuestSpace space;

    /// Offset of the instance block in the arena, [VmArena#NONE] if not allocated.
    private long instance = VmArena.NONE;

    /// Offset of the USERD page in the arena, [VmArena#NONE] if not allocated.
    private long userdOffset = VmArena.NONE;

    private int ringEntries;

    /// Put index from the guest.
    private int put;

    /// Last observed get index of the GPU.
    private int get;

    /// True if the GPU has submitted entries left to read.
    private boolean watched;

    /// True if [#put] has not been passed to the owner yet.
    private boolean rung;

    /// Correlation of the command that waits for a change of the state.
    private long correlation;

    private boolean quiet;

    /// First failure; null if there is none.
    private ChannelFailure failure;

    GuestChannel(int number, ChannelSlot slot) {
        this.number = number;
        this.slot = slot;
    }

    /// Returns the guest's number of the channel.
    int number() {
        return number;
    }

    /// Returns the channel's id in the virtual machine. Valid only while the channel is not closed.
    int id() {
        return id;
    }

    State state() {
        return state;
    }

    /// Returns whether the GPU executes no more commands of the channel.
    boolean isDead() {
        return health == Health.DEAD;
    }

    /// Returns the address space of the channel. Valid only while the channel is not closed.
    GuestSpace space() {
        return space;
    }

    /// Returns the number of entries of the ring.
    int ringEntries() {
        return ringEntries;
    }

    /// Returns the USERD page that the hardware uses.
    Userd userd() {
        return userd;
    }

    /// Returns the instance block's offset in the arena.
    long instance() {
        return instance;
    }

    /// Returns the USERD page's offset in the arena.
    long userdOffset() {
        return userdOffset;
    }

    /// Sets the offsets of the channel's blocks.
    void place(long instanceAt, long userdAt) {
        instance = instanceAt;
        userdOffset = userdAt;
    }

    /// Records the command that is answered when the state has changed.
    void answerTo(long commandCorrelation, boolean isQuiet) {
        correlation = commandCorrelation;
        quiet = isQuiet;
    }

    /// Returns the correlation of the command that waits for a change of the state.
    long correlation() {
        return correlation;
    }

    /// Returns whether the command that waits for a change of the state requests no answer.
    boolean isQuiet() {
        return quiet;
    }

    /// Starts to open the channel.
    ///
    /// @param newId id in the virtual machine
    /// @param order binary logarithm of the ring's number of entries
    void begin(int newId, GuestSpace in, int order) {
        change(Transition.BEGIN);
        id = newId;
        health = Health.SOUND;
        failure = null;
        space = in;
        ringEntries = 1 << order;
        put = 0;
        get = 0;
        rung = false;
        space.channels++;
        space.shown = true;
    }

    /// Records that the GPU may run the channel.
    void open() {
        change(Transition.OPEN);
        slot.open();
    }

    /// Records that the channel is being removed from the GPU.
    void end() {
        change(Transition.END);
    }

    /// Records that the GPU no longer holds any state of the channel.
    void close() {
        change(Transition.CLOSE);
        space.channels--;
        space = null;
        slot.state(ChannelSlot.CLOSED);
    }

    /// Records the put index of the ring.
    ///
    /// @return whether a put index is now pending that was not before
    boolean submit(int newPut) {
        put = newPut;
        boolean first = !rung;
        rung = true;
        return first;
    }

    /// Returns the pending put index, and marks it as passed to the owner.
    ///
    /// @return put index of the ring
    int takePut() {
        rung = false;
        return put;
    }

    /// Marks the channel as watched for the GPU's progress.
    ///
    /// @return whether it was not watched before
    boolean watch() {
        boolean first = !watched;
        watched = true;
        return first;
    }

    /// Marks the channel as not watched.
    void unwatch() {
        watched = false;
    }

    /// Reads the GPU's get index and shows it in the slot.
    ///
    /// @return whether the GPU made progress
    boolean showProgress() {
        int read = userd.ibGet();
        if (read == get) {
            return false;
        }
        get = read;
        slot.get(read);
        return true;
    }

    /// Returns whether the GPU had read all submitted entries at the last [#showProgress()].
    boolean hasReadAll() {
        return get == put;
    }

    /// Records a failure of the channel.
    ///
    /// @param ended whether the GPU executes no more commands of the channel
    /// @return whether this is the channel's first failure, which [#report] must show to the guest
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

    /// Records the first failure, and shows it in the slot.
    void report(ChannelFailure first) {
        failure = first;
        slot.fail(isDead() ? ChannelSlot.DEAD : ChannelSlot.FAILED, first);
    }

    /// Returns the first failure; null if there is none.
    ChannelFailure failure() {
        return failure;
    }

    /// Applies a transition. The only method that changes the state.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }
}
