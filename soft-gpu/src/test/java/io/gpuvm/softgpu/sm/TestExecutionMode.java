package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/// What executes kernels in tests: the system property `gpuvm.test.engine` says it, the interpreter
/// if it does not, so that all of them can be run on each.
///
/// Compiled kernels leave everything behind as the interpreter does, also what nobody needs.
public final class TestExecutionMode {
    private static final ExecutionMode MODE =
            ExecutionMode.named(
                    System.getProperty("gpuvm.test.engine", ExecutionMode.INTERPRETER.text()));

    private static final int RECENT_INSTRUCTIONS = 1 << 12;
    private static final Set<Kernels> OPEN = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

    private TestExecutionMode() {}

    /// Kernels for a GPU of a test.
    public static Kernels kernels() {
        Kernels kernels = new Kernels(MODE, TestExecutionMode::compile, RECENT_INSTRUCTIONS);
        OPEN.add(kernels);
        return kernels;
    }

    /// Closes kernels, and fails if one that [#kernels()] gave could not be compiled, which a GPU
    /// only counts.
    public static void close(Kernels kernels) {
        kernels.close();
        if (OPEN.remove(kernels) && kernels.counters().failed() > 0) {
            throw new AssertionError("a kernel was not compiled", FAILURE.get());
        }
    }

    private static KernelClass compile(KernelCode kernel) {
        try {
            return KernelCompiler.compile(kernel, ThreadValues.ALL);
        } catch (RuntimeException | Error e) {
            FAILURE.set(e);
            throw e;
        }
    }
}
