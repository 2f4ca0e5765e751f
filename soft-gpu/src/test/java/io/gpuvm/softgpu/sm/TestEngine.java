package io.gpuvm.softgpu.sm;

/// What executes kernels in tests: the system property `gpuvm.test.engine` says it, the interpreter
/// if it does not, so that all of them can be run on each.
public final class TestEngine {
    private static final Engine ENGINE =
            Engine.named(System.getProperty("gpuvm.test.engine", Engine.INTERPRETER.text()));

    private TestEngine() {}

    /// Kernels for a GPU of a test.
    public static Kernels kernels() {
        return new Kernels(ENGINE);
    }
}
