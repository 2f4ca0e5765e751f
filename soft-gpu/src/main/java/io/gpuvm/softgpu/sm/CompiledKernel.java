package io.gpuvm.softgpu.sm;

/// A kernel as a class of its own: the supertype of those that are generated.
///
/// It has no state: a warp's is in [Warp], complete at every boundary between the parts that it is
/// made of, so that the interpreter can go on from there. Any number of threads may use it, each
/// for warps of its own.
abstract class CompiledKernel {
    /// Runs a warp until it exits, waits at a barrier, or has had its turn.
    ///
    /// Throws what the interpreter does.
    ///
    /// @param most after how many instructions its turn is over; the block in which that is so is
    ///   brought to its end
    /// @return how many were executed
    final int run(Warp warp, Interpreter interpreter, int most) {
        int left = most;
        warp.isAhead = false;
        while (left > 0 && !warp.isAhead && warp.barrier < 0 && warp.alive != 0) {
            int after = enter(warp, interpreter, left);
            if (after == left) {
                interpreter.step(warp);
                after--;
            }
            left = after;
        }
        // Segments do not say which lanes they are for, but whoever asks where a warp is wants one.
        if (warp.active != 0) {
            warp.lane = Integer.numberOfTrailingZeros(warp.active);
        }
        return most - left;
    }

    /// Runs a warp from where it is.
    ///
    /// @param left how many instructions of its turn are left
    /// @return how many are left now, less than 0 if it had more; the same number if what comes
    ///   next is not compiled
    abstract int enter(Warp warp, Interpreter interpreter, int left);
}
