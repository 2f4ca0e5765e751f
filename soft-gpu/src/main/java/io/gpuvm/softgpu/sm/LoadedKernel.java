package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.KernelCode;

/// The kernel that a multiprocessor runs: finds out which of the GPU's it is, and whether that has
/// been compiled.
///
/// It is as sure of the code as [CodeCache] is: until the version changes or translations do; then
/// words are compared. Confined to the multiprocessor.
final class LoadedKernel {
    /// Warp instructions that the interpreter executes in the time that it takes to find an
    /// instruction of a kernel. Measured: 1 µs, and 80 ns for a warp instruction.
    private static final int COST_OF_FINDING = 1 << 4;

    private final Kernels kernels;
    private final ExecutionMode mode;
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
        this.mode = kernels.mode();
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
        if (!isCurrent && mode != ExecutionMode.INTERPRETER) {
            look();
        }
        return compiled;
    }

    /// Counts what was executed since [#compiled()] was asked, which now may say something else.
    void executed(int warpInstructions) {
        if (compiled != null || mode != ExecutionMode.TIERED) {
            return;
        }
        if (kernel == null) {
            if (place.interpreted(warpInstructions)) {
                find(place.interpreted() / COST_OF_FINDING);
            }
            return;
        }
        boolean isDue = kernel.interpreted(warpInstructions);
        compiled = kernel.compiled();
        if (compiled == null && isDue) {
            find(Kernels.MOST_INSTRUCTIONS);
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
        if (kernel == null && mode == ExecutionMode.COMPILED) {
            find(Kernels.MOST_INSTRUCTIONS);
        } else if (kernel != null) {
            kernels.use(kernel);
            compiled = kernel.compiled();
        }
    }

    /// Follows the code to find which kernel it is.
    ///
    /// @param most instructions that it may have now: a guest pays by running for having its code
    ///   looked through
    private void find(long most) {
        isWhole = true;
        boolean isLimited = most < Kernels.MOST_INSTRUCTIONS;
        int limit = isLimited ? (int) most : Kernels.MOST_INSTRUCTIONS;
        KernelCode found = KernelCode.of(this::at, place.entry(), limit + 1);
        if (found.size() == 0 || isLimited && found.size() > limit) {
            place.postpone();
            return;
        }
        kernel = kernels.kernel(KernelContent.of(found, place.registers()));
        kernel.interpreted(place.found(kernel, isWhole));
        if (mode == ExecutionMode.COMPILED || found.size() > Kernels.MOST_INSTRUCTIONS) {
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
