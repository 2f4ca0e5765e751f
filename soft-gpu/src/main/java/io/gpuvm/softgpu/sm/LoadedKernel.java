package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.KernelCode;

/// Kernel that a multiprocessor runs: finds it among the GPU's kernels, and determines whether it
/// has been compiled.
///
/// The identification is valid until the code's version or the translations change, like the
/// contents of [CodeCache]; then the words are compared. Confined to the multiprocessor.
final class LoadedKernel {
    /// Cost of finding one instruction of a kernel, in warp instructions that the interpreter
    /// executes in the same time. Measured: 1 µs to find an instruction, 80 ns for a warp
    /// instruction.
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

    /// @param code code cache of the multiprocessor; must load each launch before this object does
    LoadedKernel(Kernels kernels, CodeCache code) {
        this.kernels = kernels;
        this.mode = kernels.mode();
        this.code = code;
    }

    /// Begins a launch.
    void load(Launch launch) {
        if (place == null || !place.isOf(launch)) {
            leave();
            place = places.of(launch);
            isCurrent = false;
        }
        isCurrent &= place.load(launch.code());
    }

    /// Invalidates the kernel after translations have changed: the code may be different.
    void invalidate() {
        places.doubt();
        isCurrent = false;
    }

    /// Releases the kernel until [#compiled()] is called again.
    void rest() {
        leave();
        isCurrent = false;
    }

    /// Returns the compiled kernel; null if the interpreter executes the kernel. The call may take
    /// as long as a compilation.
    CompiledKernel compiled() {
        if (!isCurrent && mode != ExecutionMode.INTERPRETER) {
            look();
        }
        return compiled;
    }

    /// Counts executed instructions; the next call of [#compiled()] may return a different result.
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

    /// Updates the kernel and its compiled form from the place.
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

    /// Follows the code to identify the kernel.
    ///
    /// @param most maximum number of instructions to follow; a small number makes the cost of the
    ///   search proportional to the interpreted instructions
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
