package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ChannelClass;

/// Commands for fences: values in memory with which a channel reports its progress and waits for
/// other channels.
public final class Fences {
    /// Number of words of [#release], of [#releaseWithTime] and of [#acquire].
    public static final int WORDS = 5;

    /// Number of words of [#interrupt].
    public static final int INTERRUPT_WORDS = 1;

    private static final int METHODS = 4;

    private Fences() {}

    /// Writes `value`, 4 bytes at a multiple of 4, after all earlier work is complete.
    public static void release(PushBuffer push, long gpuVa, int value) {
        semaphore(
                push,
                gpuVa,
                value,
                ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                        | ChannelClass.RELEASE_SHORT.of(1));
    }

    /// Writes a [io.gpuvm.gf100.classes.QueryRecord] after all earlier work is complete.
    public static void releaseWithTime(PushBuffer push, long gpuVa, int value) {
        semaphore(push, gpuVa, value, ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE));
    }

    /// Makes the channel wait until the word in memory is in the range from `value` to `value` +
    /// 2^31 - 1; other channels run during the wait.
    public static void acquire(PushBuffer push, long gpuVa, int value) {
        semaphore(
                push,
                gpuVa,
                value,
                ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.ACQUIRE_GREATER_EQUAL)
                        | ChannelClass.ACQUIRE_SWITCH.of(1));
    }

    /// Raises the non-stall interrupt.
    public static void interrupt(PushBuffer push) {
        push.immediate(Subchannel.ANY, ChannelClass.NON_STALL_INTERRUPT, 0);
    }

    private static void semaphore(PushBuffer push, long gpuVa, int value, int trigger) {
        push.increasing(Subchannel.ANY, ChannelClass.SEMAPHORE_ADDRESS_HIGH, METHODS)
                .word((int) (gpuVa >>> Integer.SIZE))
                .word((int) gpuVa)
                .word(value)
                .word(trigger);
    }
}
