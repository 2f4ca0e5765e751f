package io.gpuvm.pv.runtime;

import java.util.List;

/// Layout of arguments by the rules of a C compiler, for kernels without a description: all
/// pointers have one size, and no alignment exceeds 8.
///
/// @param pointerBytes size of a pointer, 4 or 8
record ArgumentLayout(int pointerBytes) {
    /// Returns the size of an argument in bytes.
    int bytes(Arguments.Argument argument) {
        if (argument.members() != null) {
            return next(end(argument.members()), alignment(argument));
        }
        return argument.pointee() == null ? argument.value().length : pointerBytes;
    }

    /// Returns the first aligned offset for an argument, at least `end`.
    int start(int end, Arguments.Argument argument) {
        return next(end, alignment(argument));
    }

    /// Returns the end of the last argument, if the first starts at 0.
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
