package io.gpuvm.softgpu.sm;

/// Compiled kernel: superclass of the generated classes.
///
/// A compiled kernel is stateless: a warp's state is in [Warp], and is complete at every boundary
/// between the kernel's parts, so that the interpreter can continue there. Any number of threads
/// may use a kernel, each for different warps.
abstract class CompiledKernel {
    /// Runs a warp until it exits, waits at a barrier, or its turn ends.
    ///
    /// Throws the same exceptions as the interpreter.
    ///
    /// @param most number of instructions after which the warp's turn ends; the basic block in
    ///   which the turn ends is completed
    /// @return number of executed instructions
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
        // Lane loops do not record the current lane, but reports of the warp's position need a
        // lane.
        if (warp.active != 0) {
            warp.lane = Integer.numberOfTrailingZeros(warp.active);
        }
        return most - left;
    }

    /// Runs a warp from its current position.
    ///
    /// @param left number of instructions left in the warp's turn
    /// @return number of instructions left afterwards, negative if the warp executed more;
    ///   unchanged if the code at the position is not compiled
    abstract int enter(Warp warp, Interpreter interpreter, int left);
}
