package io.gpuvm.softgpu.sm.flow;

import java.util.Arrays;

/// What is alive at one place of a block, on the way from its end to its start.
///
/// Instructions under one guard are executed by the same threads as long as nobody writes the
/// predicate. So what one of them reads, and an earlier one writes, nobody needs before that,
/// though the write is none in threads that do not execute it.
final class AliveValues {
    private static final int GUARDS = 2 * Integer.bitCount(ThreadValues.ALL_PREDICATES);

    private ThreadValues always;

    /// By guard: what only threads need that pass it.
    private final ThreadValues[] guarded = new ThreadValues[GUARDS];

    /// Guards for which there may be something, a bit each.
    private int open;

    AliveValues(ThreadValues atEnd) {
        always = atEnd;
        Arrays.fill(guarded, ThreadValues.NONE);
    }

    /// All of them.
    ThreadValues all() {
        ThreadValues all = always;
        for (int left = open; left != 0; left &= left - 1) {
            all = all.or(guarded[Integer.numberOfTrailingZeros(left)]);
        }
        return all;
    }

    /// Goes back over an instruction that all threads execute, or for which that is not known.
    void goBack(ThreadValues reads, ThreadValues writes, ThreadValues kills) {
        forgetGuards(writes);
        for (int left = open; left != 0; left &= left - 1) {
            int guard = Integer.numberOfTrailingZeros(left);
            guarded[guard] = guarded[guard].minus(kills);
        }
        always = always.minus(kills).or(reads);
    }

    /// Goes back over an instruction that threads execute which pass a guard.
    ///
    /// @param guard number of the predicate, times two, plus one for its opposite
    /// @param decides what the guard reads
    /// @param kills in those threads
    void goBack(
            int guard,
            ThreadValues decides,
            ThreadValues reads,
            ThreadValues writes,
            ThreadValues kills) {
        forgetGuards(writes);
        guarded[guard] = guarded[guard].minus(kills).or(reads);
        open |= 1 << guard;
        always = always.or(decides);
    }

    /// Before a predicate is written, other threads pass its guards.
    private void forgetGuards(ThreadValues writes) {
        for (int left = open; left != 0; left &= left - 1) {
            int guard = Integer.numberOfTrailingZeros(left);
            if (writes.hasPredicate(guard >> 1)) {
                always = always.or(guarded[guard]);
                guarded[guard] = ThreadValues.NONE;
                open &= ~(1 << guard);
            }
        }
    }
}
