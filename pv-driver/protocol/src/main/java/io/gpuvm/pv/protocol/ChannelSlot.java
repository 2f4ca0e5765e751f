package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/// Slot of one channel in the channel table: the host's report to the guest. The host writes it and
/// never reads it; the guest reads it.
///
/// ```text
///   0        4          8                 12             16       64                     256
///  +--------+----------+-----------------+--------------+--------+----------------------+
///  | get 32 | state 32 | failure kind 32 |      0                | failure text, UTF-8  |
///  +--------+----------+-----------------+--------------+--------+----------------------+
/// ```
///
/// The host writes the failure before the state that announces it. The failure stays until the
/// channel is destroyed. An instance is a flyweight over one slot.
public final class ChannelSlot {
    /// Distance between consecutive slots in bytes.
    public static final int BYTES = 256;

    /// Offset of the GPU's get index: index of the next entry of the channel's ring that the GPU
    /// reads.
    public static final int GET = 0;

    /// Offset of [#state()].
    public static final int STATE = 4;

    /// Offset of the kind of the failure: 1 memory fault, 2 instruction, 3 method, 4 timeout, 5 GPU
    /// lost.
    public static final int FAILURE_KIND = 8;

    /// Offset of the failure's text: UTF-8, padded with zeros.
    public static final int FAILURE_TEXT = 64;

    /// Maximum length of a failure's text in bytes.
    public static final int FAILURE_TEXT_BYTES = BYTES - FAILURE_TEXT;

    /// State: the channel does not exist.
    public static final int CLOSED = 0;

    /// State: the channel has not failed.
    public static final int OPEN = 1;

    /// State: the channel has failed and continues.
    public static final int FAILED = 2;

    /// State: the channel has failed and executes no more work.
    public static final int DEAD = 3;

    /// Kinds of failures in the order of their codes; the first has code 1.
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

    /// Moves this flyweight to the slot at offset `at`, a multiple of 64.
    public ChannelSlot wrap(MemorySegment memory, long at) {
        this.memory = memory;
        this.base = at;
        return this;
    }

    /// Returns the GPU's get index. The guest may overwrite all earlier entries of the channel's
    /// ring.
    public int get() {
        return (int) WORD.getAcquire(memory, base + GET);
    }

    /// Sets the GPU's get index.
    public ChannelSlot get(int index) {
        WORD.setRelease(memory, base + GET, index);
        return this;
    }

    /// Returns the state: [#CLOSED], [#OPEN], [#FAILED] or [#DEAD].
    public int state() {
        return (int) WORD.getAcquire(memory, base + STATE);
    }

    /// Initializes the slot for a new channel.
    public ChannelSlot open() {
        memory.set(WireType.U32, base + FAILURE_KIND, 0);
        get(0);
        return state(OPEN);
    }

    /// Changes only the state.
    public ChannelSlot state(int state) {
        WORD.setRelease(memory, base + STATE, state);
        return this;
    }

    /// Reports a channel's first failure.
    ///
    /// @param state [#FAILED] or [#DEAD]
    /// @param failure failure; its message is truncated to [#FAILURE_TEXT_BYTES]
    public ChannelSlot fail(int state, ChannelFailure failure) {
        memory.set(WireType.U32, base + FAILURE_KIND, CODES.indexOf(failure.what()) + 1);
        WireType.putText(memory, base + FAILURE_TEXT, FAILURE_TEXT_BYTES, failure.message());
        return state(state);
    }

    /// Returns the failure of the channel, as a new object; null while the channel is [#CLOSED] or
    /// [#OPEN].
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
