package io.gpuvm.softgpu.sm;

/// What executes kernels.
public enum Engine {
    /// An instruction at a time, all of them the same way: the reference.
    INTERPRETER,

    /// Every kernel is compiled before it runs first.
    COMPILED,

    /// Kernels are interpreted at first; those that prove to be worth it are compiled meanwhile.
    TIERED
}
