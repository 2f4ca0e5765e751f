package io.gpuvm.softgpu.sm.flow;

import java.util.Arrays;

/// Values that are alive at one point of a block, while an analysis goes from its end to its start.
///
/// The same threads execute the instructions with one guard, until an instruction writes the
/// predicate. A value that one of them reads and an earlier one writes is therefore not needed
/// before the write, although threads that do not execute the write keep their value.
final class AliveValues {
    private static final int GUARDS = 2 * Integer.bitCount(ThreadValues.ALL_PREDICATES);

    private ThreadValues always;

    /// Values that are needed only by threads that pass a guard, by guard.
    private final ThreadValues[] guarded = new ThreadValues[GUARDS];

    /// Guards that may have such values, one bit each.
    private int open;

    AliveValues(ThreadValues atEnd) {
        always = atEnd;
        Arrays.fill(guarded, ThreadValues.NONE);
    }

    /// Returns all values that are alive.
    ThreadValues all() {
        ThreadValues all = always;
        for (int left = open; left != 0; left &= left - 1) {
            all = all.or(guarded[Integer.numberOfTrailingZeros(left)]);
        }
        return all;
    }

    /// Steps back over an instruction that all threads execute, or an unknown set of threads.
    void goBack(ThreadValues reads, ThreadValues writes, ThreadValues kills) {
        forgetGuards(writes);
        for (int left = open; left != 0; left &= left - 1) {
            int guard = Integer.numberOfTrailingZeros(left);
            guarded[guard] = guarded[guard].minus(kills);
        }
        always = always.minus(kills).or(reads);
    }

    /// Steps back over an instruction that the threads that pass a guard execute.
    ///
    /// @param guard number of the predicate, times two, plus one for its negation
    /// @param decides values that the guard reads
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

    /// Merges values of guards whose predicate is written: before the write, other threads pass
    /// them.
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
