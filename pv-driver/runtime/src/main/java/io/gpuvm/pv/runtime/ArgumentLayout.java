package io.gpuvm.pv.runtime;

import java.util.List;

/// How a C compiler lays out arguments where nobody else says it: pointers are of one size, and
/// nothing needs to lie at more than multiples of 8.
///
/// @param pointerBytes 4 or 8
record ArgumentLayout(int pointerBytes) {
    /// How many bytes it takes.
    int bytes(Arguments.Argument argument) {
        if (argument.members() != null) {
            return next(end(argument.members()), alignment(argument));
        }
        return argument.pointee() == null ? argument.value().length : pointerBytes;
    }

    /// Where it can start, behind what ends there.
    int start(int end, Arguments.Argument argument) {
        return next(end, alignment(argument));
    }

    /// Where the last of them ends, if the first starts at 0.
    private int end(List<Arguments.Argument> list) {
        int end = 0;
        for (Arguments.Argument argument : list) {
            end = Math.addExact(start(end, argument), bytes(argument));
        }
        return end;
    }

    private int alignment(Arguments.Argument argument) {
        if (argument.members() == null) {
            return Math.clamp(Integer.lowestOneBit(bytes(argument)), 1, Long.BYTES);
        }
        int largest = 1;
        for (Arguments.Argument member : argument.members()) {
            largest = Math.max(largest, alignment(member));
        }
        return largest;
    }

    private static int next(int end, int alignment) {
        return Math.addExact(end, alignment - 1) & -alignment;
    }
}
