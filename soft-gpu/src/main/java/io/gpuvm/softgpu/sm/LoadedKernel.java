package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.KernelCode;

/// The kernel that a multiprocessor runs: finds out which of the GPU's it is, and whether that has
/// been compiled.
///
/// It is as sure of the code as [CodeCache] is: until the version changes or translations do; then
/// words are compared. Confined to the multiprocessor.
final class LoadedKernel {
    /// Warp instructions that the interpreter executes in the time that it takes to find a kernel
    /// of a few hundred instructions. Before, nobody asks what it is: most that run once are
    /// shorter.
    private static final int FIND_AFTER = 1 << 11;

    private final Kernels kernels;
    private final Engine engine;
    private final CodeCache code;
    private final KernelPlaces places = new KernelPlaces();
    private KernelPlace place;
    private Kernel kernel;
    private CompiledKernel compiled;
    private boolean isCurrent;
    private boolean isWhole;

    /// @param code what the multiprocessor executes; loaded with a launch before this is
    LoadedKernel(Kernels kernels, CodeCache code) {
        this.kernels = kernels;
        this.engine = kernels.engine();
        this.code = code;
    }

    /// Takes up a launch.
    void load(Launch launch) {
        if (place == null || !place.isOf(launch)) {
            leave();
            place = places.of(launch);
            isCurrent = false;
        }
        isCurrent &= place.load(launch.code());
    }

    /// Translations have changed: what is code may be another.
    void invalidate() {
        places.doubt();
        isCurrent = false;
    }

    /// Lets go of the kernel for as long as it is not asked for.
    void rest() {
        leave();
        isCurrent = false;
    }

    /// What executes the kernel now; null if it is the interpreter. May take as long as compiling
    /// does.
    CompiledKernel compiled() {
        if (!isCurrent && engine != Engine.INTERPRETER) {
            look();
        }
        return compiled;
    }

    /// Counts what was executed since [#compiled()] was asked, which now may say something else.
    void executed(int warpInstructions) {
        if (compiled != null || engine != Engine.TIERED) {
            return;
        }
        if (kernel == null) {
            long interpreted = place.interpreted(warpInstructions);
            if (interpreted >= FIND_AFTER) {
                place.forget();
                find(interpreted);
            }
            return;
        }
        boolean isDue = kernel.interpreted(warpInstructions);
        compiled = kernel.compiled();
        if (compiled == null && isDue) {
            find(0);
        }
    }

    private void leave() {
        if (kernel != null) {
            kernels.use(kernel);
        }
        kernel = null;
        compiled = null;
    }

    /// Takes up what is known of the place.
    private void look() {
        isCurrent = true;
        Kernel known = place.kernel(code);
        if (known == null || known != kernel) {
            leave();
            kernel = known;
        }
        if (kernel == null && engine == Engine.COMPILED) {
            find(0);
        } else if (kernel != null) {
            kernels.use(kernel);
            compiled = kernel.compiled();
        }
    }

    /// Follows the code to find which kernel it is.
    ///
    /// @param interpreted warp instructions that were executed before it was known
    private void find(long interpreted) {
        isWhole = true;
        KernelCode found = KernelCode.of(this::at, place.entry(), Kernels.MOST_INSTRUCTIONS + 1);
        if (found.size() == 0) {
            return;
        }
        kernel = kernels.kernel(KernelContent.of(found, place.registers()));
        place.found(kernel, isWhole);
        kernel.interpreted(interpreted);
        if (engine == Engine.COMPILED) {
            kernels.compile(kernel, found);
        } else if (kernel.isDue()) {
            kernels.request(kernel, found);
        }
        compiled = kernel.compiled();
    }

    private Instruction at(int pc) {
        Instruction instruction = code.find(pc);
        isWhole &= instruction != null;
        return instruction;
    }
}
