package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/// Execution mode of kernels in tests, from the system property `gpuvm.test.engine`, so that all
/// tests can run in each mode. Default: the interpreter.
///
/// Compiled kernels leave the same state as the interpreter, including values that are never used.
public final class TestExecutionMode {
    private static final ExecutionMode MODE =
            ExecutionMode.named(
                    System.getProperty("gpuvm.test.engine", ExecutionMode.INTERPRETER.text()));

    private static final int RECENT_INSTRUCTIONS = 1 << 12;
    private static final Set<Kernels> OPEN = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

    private TestExecutionMode() {}

    /// Returns kernels for a test's GPU.
    public static Kernels kernels() {
        Kernels kernels = new Kernels(MODE, TestExecutionMode::compile, RECENT_INSTRUCTIONS);
        OPEN.add(kernels);
        return kernels;
    }

    /// Closes kernels, and fails if a kernel from [#kernels()] could not be compiled; a GPU only
    /// counts such failures.
    public static void close(Kernels kernels) {
        kernels.close();
        if (OPEN.remove(kernels) && kernels.counters().failed() > 0) {
            throw new AssertionError("kernel could not be compiled", FAILURE.get());
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
