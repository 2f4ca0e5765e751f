package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Code location at which launches start, and the kernel found there. Confined to a multiprocessor.
final class KernelPlace {
    /// Number of warp instructions before the kernel is identified; most kernels that run once are
    /// shorter.
    private static final long FIRST_LOOK = 1 << 12;

    private CodeLocation code;
    private int registers;
    private MemoryTarget instanceTarget;
    private long instanceAddress;
    private KernelReference kernel;
    private boolean isWhole;
    private boolean isSure;
    private long interpreted;
    private long due;

    /// Moves to the code of a launch, and discards the information about the previous kernel.
    void move(Launch launch) {
        code = launch.code();
        registers = launch.storage().registers();
        instanceTarget = launch.instanceTarget();
        instanceAddress = launch.instanceAddress();
        forget();
    }

    /// Returns whether a launch starts here, with any version of the code.
    boolean isOf(Launch launch) {
        return code != null
                && code.segmentGpuVa() == launch.code().segmentGpuVa()
                && code.entryOffset() == launch.code().entryOffset()
                && registers == launch.storage().registers()
                && instanceAddress == launch.instanceAddress()
                && instanceTarget == launch.instanceTarget();
    }

    /// Begins a launch that starts here.
    ///
    /// @return whether the code is unchanged
    boolean load(CodeLocation location) {
        isSure &= location.version() == code.version();
        code = location;
        return isSure;
    }

    /// Returns the kernel's offset from the start of the code segment.
    int entry() {
        return code.entryOffset();
    }

    /// Returns the number of registers of a thread.
    int registers() {
        return registers;
    }

    /// Records that the code may have changed since the last comparison.
    void doubt() {
        isSure = false;
    }

    /// Returns the kernel at this place; null if the kernel is unknown, has changed or no longer
    /// exists. Compares the code's words if the code may have changed; creates no objects.
    Kernel kernel(CodeCache words) {
        Kernel known = kernel == null ? null : kernel.get();
        if (known != null && !isSure && !(isWhole && known.content().isIn(words))) {
            forget();
            known = null;
        }
        isSure = true;
        return known;
    }

    /// Records the kernel that has been found here.
    ///
    /// @param whole whether all of the kernel's code could be read
    /// @return number of instructions counted before this call
    long found(Kernel here, boolean whole) {
        long count = interpreted;
        forget();
        kernel = here.reference();
        isWhole = whole;
        isSure = true;
        return count;
    }

    private void forget() {
        kernel = null;
        interpreted = 0;
        due = FIRST_LOOK;
    }

    /// Counts warp instructions of an unknown kernel that the interpreter executed.
    ///
    /// @return whether the kernel should be identified now
    boolean interpreted(int warpInstructions) {
        interpreted += warpInstructions;
        return interpreted >= due;
    }

    /// Returns the number of counted instructions.
    long interpreted() {
        return interpreted;
    }

    /// Records that the kernel could not be identified: the next attempt is due after twice as many
    /// instructions.
    void postpone() {
        due = 2 * interpreted;
    }
}
