package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.util.Map;

/// Local variables of a lane loop's method, by number: operands that were read before the loop, and
/// results that must be written.
///
/// @param isMasked whether some lanes may be inactive
/// @param isVector whether the JVM's compiler should vectorize the loop
/// @param unsafe see [RowAccess]
/// @param words the warp's registers
/// @param flagWords words with the bits of all lanes, by [Flag]
/// @param collectedWords words in which the lanes' new bits are collected, by [Flag]
/// @param constants constants that were read, by bank and offset ([#key])
/// @param shared the block's shared memory; undefined if no instruction reads it
/// @param needed values that are needed after the lane loop
record LaneLoopFrame(
        boolean isMasked,
        boolean isVector,
        int unsafe,
        int words,
        Map<Integer, Integer> flagWords,
        Map<Integer, Integer> collectedWords,
        Map<Integer, Integer> constants,
        int shared,
        ThreadValues needed) {
    private static final int OFFSET_BITS = 16;

    static int key(int bank, int offset) {
        return bank << OFFSET_BITS | offset;
    }

    static int bank(int key) {
        return key >> OFFSET_BITS;
    }

    static int offset(int key) {
        return key & (1 << OFFSET_BITS) - 1;
    }

    int constant(int bank, int offset) {
        return constants.get(key(bank, offset));
    }

    int flagWord(int flag) {
        return flagWords.get(flag);
    }

    int collected(int flag) {
        return collectedWords.get(flag);
    }

    boolean isNeeded(int row) {
        return needed.hasRegister(Rows.register(row));
    }

    boolean isFlagNeeded(int flag) {
        return (flags(needed) >>> flag & 1) != 0;
    }

    /// Returns a copy of this frame for code outside a loop.
    LaneLoopFrame forOneLane() {
        return new LaneLoopFrame(
                isMasked,
                false,
                unsafe,
                words,
                flagWords,
                collectedWords,
                constants,
                shared,
                needed);
    }

    /// Returns a copy of this frame in which some flags are no longer needed.
    LaneLoopFrame without(int flags) {
        return new LaneLoopFrame(
                isMasked,
                isVector,
                unsafe,
                words,
                flagWords,
                collectedWords,
                constants,
                shared,
                needed.minus(valuesOf(flags)));
    }

    static ThreadValues valuesOf(int flags) {
        return new ThreadValues(
                0,
                flags & ThreadValues.ALL_PREDICATES,
                flags >>> Flag.ZERO & ThreadValues.ALL_CONDITIONS);
    }

    /// Returns the flags among some values, one bit per flag ([Flag]).
    static int flags(ThreadValues values) {
        return values.predicates() | values.conditions() << Flag.ZERO;
    }
}
