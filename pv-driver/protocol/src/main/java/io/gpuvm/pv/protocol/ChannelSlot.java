package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/// One channel's place in the channel table: what the host tells a guest about it. Written by the
/// host, read by the guest; the host reads nothing from it.
///
/// ```text
///   0        4          8                 12             16       64                     256
///  +--------+----------+-----------------+--------------+--------+----------------------+
///  | get 32 | state 32 | failure kind 32 |      0                | failure text, UTF-8  |
///  +--------+----------+-----------------+--------------+--------+----------------------+
/// ```
///
/// The failure is written before the state that says that there is one, and stays until the channel
/// is destroyed. Movable flyweight.
public final class ChannelSlot {
    /// Distance of the slots of two channels.
    public static final int BYTES = 256;

    /// How far the GPU is: index of the next entry of the channel's ring that it reads.
    public static final int GET = 0;

    /// Where [#state()] is.
    public static final int STATE = 4;

    /// The kind of the failure: 1 memory fault, 2 instruction, 3 method, 4 timeout, 5 the GPU is
    /// lost.
    public static final int FAILURE_KIND = 8;

    /// Where the failure's text is: UTF-8, zeros behind it.
    public static final int FAILURE_TEXT = 64;

    /// The longest text of a failure, in bytes.
    public static final int FAILURE_TEXT_BYTES = BYTES - FAILURE_TEXT;

    /// There is no such channel.
    public static final int CLOSED = 0;

    /// All is well.
    public static final int OPEN = 1;

    /// Something went wrong; the channel goes on.
    public static final int FAILED = 2;

    /// Something went wrong; the channel does nothing any more.
    public static final int DEAD = 3;

    /// The kinds of failures; the first has code 1.
    private static final List<ChannelFailure.Kind> CODES =
            List.of(
                    ChannelFailure.Kind.MEMORY_FAULT,
                    ChannelFailure.Kind.INSTRUCTION,
                    ChannelFailure.Kind.METHOD,
                    ChannelFailure.Kind.TIMEOUT,
                    ChannelFailure.Kind.LOST);

    private static final VarHandle WORD = WireType.U32.varHandle();

    private MemorySegment memory;
    private long base;

    /// Moves this window to the slot at `at`, a multiple of 64.
    public ChannelSlot wrap(MemorySegment memory, long at) {
        this.memory = memory;
        this.base = at;
        return this;
    }

    /// How far the GPU is. What it has read of the ring before is free.
    public int get() {
        return (int) WORD.getAcquire(memory, base + GET);
    }

    /// Tells how far the GPU is.
    public ChannelSlot get(int index) {
        WORD.setRelease(memory, base + GET, index);
        return this;
    }

    /// [#CLOSED], [#OPEN], [#FAILED] or [#DEAD].
    public int state() {
        return (int) WORD.getAcquire(memory, base + STATE);
    }

    /// Begins a channel's life.
    public ChannelSlot open() {
        memory.set(WireType.U32, base + FAILURE_KIND, 0);
        get(0);
        return state(OPEN);
    }

    /// Changes the state only.
    public ChannelSlot state(int state) {
        WORD.setRelease(memory, base + STATE, state);
        return this;
    }

    /// Reports a channel's first failure.
    ///
    /// @param state [#FAILED] or [#DEAD]
    /// @param failure its message is cut to [#FAILURE_TEXT_BYTES]
    public ChannelSlot fail(int state, ChannelFailure failure) {
        memory.set(WireType.U32, base + FAILURE_KIND, CODES.indexOf(failure.what()) + 1);
        WireType.putText(memory, base + FAILURE_TEXT, FAILURE_TEXT_BYTES, failure.message());
        return state(state);
    }

    /// What went wrong; null while the channel is [#CLOSED] or [#OPEN]. Allocates.
    public ChannelFailure failure() {
        int state = state();
        if (state != FAILED && state != DEAD) {
            return null;
        }
        int code = memory.get(WireType.U32, base + FAILURE_KIND);
        boolean known = code > 0 && code <= CODES.size();
        return new ChannelFailure(
                known ? CODES.get(code - 1) : ChannelFailure.Kind.LOST,
                WireType.text(memory, base + FAILURE_TEXT, FAILURE_TEXT_BYTES));
    }
}
