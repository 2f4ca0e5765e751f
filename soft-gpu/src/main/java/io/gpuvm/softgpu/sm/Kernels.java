package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.lang.invoke.MethodHandles;

/// The kernels of one GPU that have been compiled.
///
/// Used by the threads of all its multiprocessors.
public final class Kernels {
    /// Instructions that a kernel is compiled of at the most; what lies beyond is interpreted.
    private static final int MOST_INSTRUCTIONS = 1 << 14;

    private final Engine engine;

    public Kernels(Engine engine) {
        this.engine = engine;
    }

    /// The kernel at an entry of code.
    ///
    /// @return null to have it interpreted
    CompiledKernel kernel(CodeCache code, int entry) {
        if (engine == Engine.INTERPRETER) {
            return null;
        }
        KernelCode kernel = KernelCode.of(code::find, entry, MOST_INSTRUCTIONS);
        return define(KernelCompiler.compile(kernel));
    }

    private static CompiledKernel define(KernelClass kernel) {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.lookup()
                            .defineHiddenClassWithClassData(
                                    kernel.bytes(), kernel.instructions(), true);
            return (CompiledKernel) lookup.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a generated class was refused", e);
        }
    }
}
