package io.gpuvm.softgpu.sm;

/// Kernel as a class: supertype of the generated classes.
///
/// Stateless: a warp's state is in [Warp], complete at every boundary between the kernel's parts,
/// so that the interpreter can continue there. Any number of threads may use a kernel, each for
/// different warps.
abstract class CompiledKernel {
    /// Runs a warp until it exits, waits at a barrier, or its turn ends.
    ///
    /// Throws the same exceptions as the interpreter.
    ///
    /// @param most number of instructions after which its turn ends; the block in which that
    ///   happens is completed
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
        // Lane loops do not record a lane, but reports of the warp's position need one.
        if (warp.active != 0) {
            warp.lane = Integer.numberOfTrailingZeros(warp.active);
        }
        return most - left;
    }

    /// Runs a warp from its current position.
    ///
    /// @param left number of instructions left in its turn
    /// @return number of instructions left now, below 0 if it executed more; unchanged if the code
    ///   at the position is not compiled
    abstract int enter(Warp warp, Interpreter interpreter, int left);
}
