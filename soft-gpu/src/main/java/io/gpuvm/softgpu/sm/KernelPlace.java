package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Where launches have started, and which kernel was found there. Confined to a multiprocessor.
final class KernelPlace {
    /// Warp instructions before anybody asks which kernel it is: most that run once are shorter.
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

    /// Makes it another place, where nothing is known.
    void move(Launch launch) {
        code = launch.code();
        registers = launch.storage().registers();
        instanceTarget = launch.instanceTarget();
        instanceAddress = launch.instanceAddress();
        forget();
    }

    /// Whether a launch starts here, with code of whatever version.
    boolean isOf(Launch launch) {
        return code != null
                && code.segmentGpuVa() == launch.code().segmentGpuVa()
                && code.entryOffset() == launch.code().entryOffset()
                && registers == launch.storage().registers()
                && instanceAddress == launch.instanceAddress()
                && instanceTarget == launch.instanceTarget();
    }

    /// A launch starts here.
    ///
    /// @return whether the code is as it was
    boolean load(CodeLocation location) {
        isSure &= location.version() == code.version();
        code = location;
        return isSure;
    }

    /// Where the kernel starts, from the start of the code segment.
    int entry() {
        return code.entryOffset();
    }

    /// How many registers a thread has.
    int registers() {
        return registers;
    }

    /// Code may have changed since it was looked at.
    void doubt() {
        isSure = false;
    }

    /// The kernel that is here; null if that is not known, or it is kept no longer. Looks at the
    /// code's words if they may have changed; makes no objects.
    Kernel kernel(CodeCache words) {
        Kernel known = kernel == null ? null : kernel.get();
        if (known != null && !isSure && !(isWhole && known.content().isIn(words))) {
            forget();
            known = null;
        }
        isSure = true;
        return known;
    }

    /// A kernel has been found here.
    ///
    /// @param whole whether all of it could be read
    /// @return what was counted until now
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

    /// Counts what the interpreter executed of a kernel that is not known.
    ///
    /// @return whether it is time to find out which it is
    boolean interpreted(int warpInstructions) {
        interpreted += warpInstructions;
        return interpreted >= due;
    }

    /// What was counted.
    long interpreted() {
        return interpreted;
    }

    /// It could not be found: it is time again when twice as much has been executed.
    void postpone() {
        due = 2 * interpreted;
    }
}
