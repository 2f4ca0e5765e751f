package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.flow.KernelCode;

/// Makes a class of a kernel.
public final class KernelCompiler {
    private KernelCompiler() {}

    /// Compiles a kernel.
    public static KernelClass compile(KernelCode kernel) {
        throw new UnsupportedOperationException(kernel + " is not compiled yet");
    }
}
