package io.gpuvm.softgpu.sm.flow;

import java.util.Arrays;

/// Live values at one point of a block, for an analysis that proceeds from the block's end to its
/// start.
///
/// Instructions with the same guard are executed by the same threads, until an instruction writes
/// the predicate. If an instruction reads a value that an earlier instruction with the same guard
/// writes, the value is therefore dead before the write, although threads that do not execute the
/// write retain their old value.
final class AliveValues {
    private static final int GUARDS = 2 * Integer.bitCount(ThreadValues.ALL_PREDICATES);

    private ThreadValues always;

    /// Values that are needed only by threads that pass a guard, by guard.
    private final ThreadValues[] guarded = new ThreadValues[GUARDS];

    /// Guards with values in [#guarded], one bit each.
    private int open;

    AliveValues(ThreadValues atEnd) {
        always = atEnd;
        Arrays.fill(guarded, ThreadValues.NONE);
    }

    /// Returns all live values.
    ThreadValues all() {
        ThreadValues all = always;
        for (int left = open; left != 0; left &= left - 1) {
            all = all.or(guarded[Integer.numberOfTrailingZeros(left)]);
        }
        return all;
    }

    /// Steps back over an instruction that all threads, or an unknown set of threads, execute.
    void goBack(ThreadValues reads, ThreadValues writes, ThreadValues kills) {
        forgetGuards(writes);
        for (int left = open; left != 0; left &= left - 1) {
            int guard = Integer.numberOfTrailingZeros(left);
            guarded[guard] = guarded[guard].minus(kills);
        }
        always = always.minus(kills).or(reads);
    }

    /// Steps back over an instruction that only the threads that pass a guard execute.
    ///
    /// @param guard number of the predicate, times two, plus one for its negation
    /// @param decides values that determine the guard
    /// @param kills values that the instruction overwrites in those threads
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

    /// Merges the values of guards whose predicate is written: before the write, other threads pass
    /// these guards.
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
