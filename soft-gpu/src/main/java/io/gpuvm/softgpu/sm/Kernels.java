package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Kernels of one GPU, and their execution mode.
///
/// A kernel is compiled at most once while it is in use or was recently used ([KernelTable]); later
/// its class is unloaded. A kernel that the compiler cannot handle is interpreted, and compilation
/// is not retried. In [ExecutionMode#TIERED], one thread compiles kernels: it starts with the first
/// worthwhile kernel and ends with [#close()]. Used by the threads of all multiprocessors.
public final class Kernels implements AutoCloseable {
    /// Maximum number of instructions in a compiled kernel.
    static final int MOST_INSTRUCTIONS = 1 << 14;

    /// Maximum total number of instructions of the recently used compiled kernels that are kept,
    /// and likewise of the other recently used kernels.
    static final int RECENT_INSTRUCTIONS = 1 << 16;

    /// Maximum total number of instructions of kernels that wait for the compiler.
    private static final int WAITING_INSTRUCTIONS = 1 << 15;

    private static final Logger LOG = LoggerFactory.getLogger(Kernels.class);

    private final ExecutionMode mode;
    private final InterpreterTallies tallies = new InterpreterTallies();
    private final Function<KernelCode, KernelClass> compiler;
    private final KernelTable table;
    private final BackgroundCompiler background =
            new BackgroundCompiler(WAITING_INSTRUCTIONS, this::compile);
    private final AtomicLong compiled = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong compileNs = new AtomicLong();

    public Kernels(ExecutionMode mode) {
        this(mode, KernelCompiler::compile, RECENT_INSTRUCTIONS);
    }

    /// @param compiler compiles kernels to classes; called from any thread, concurrently
    /// @param recent maximum total number of instructions of the compiled kernels that are kept
    ///   while not in use, and likewise of the other kernels
    Kernels(ExecutionMode mode, Function<KernelCode, KernelClass> compiler, int recent) {
        this.mode = mode;
        this.compiler = compiler;
        table = new KernelTable(recent);
    }

    /// Returns the execution mode.
    ExecutionMode mode() {
        return mode;
    }

    /// Returns the instruction tallies of the GPU's multiprocessors.
    public InterpreterTallies tallies() {
        return tallies;
    }

    /// Returns the kernel with the given content.
    Kernel kernel(KernelContent content) {
        return table.kernel(content);
    }

    /// Records that a multiprocessor begins or ends using a kernel.
    void use(Kernel kernel) {
        table.use(kernel);
    }

    /// Compiles a kernel unless compilation was tried before; waits for a compilation in progress.
    void compile(Kernel kernel, KernelCode code) {
        if (kernel.compile(() -> compile(code))) {
            table.settle(kernel);
        }
    }

    /// Requests the compilation of a kernel in the background.
    void request(Kernel kernel, KernelCode code) {
        background.offer(kernel, code);
    }

    /// Returns the current counters. Any thread.
    public KernelCounters counters() {
        return new KernelCounters(
                compiled.get(),
                failed.get(),
                background.postponed(),
                table.classes(),
                compileNs.get());
    }

    /// Stops the background compiler after the kernel in progress. No multiprocessor may run
    /// afterwards.
    @Override
    public void close() {
        background.close();
    }

    /// Compiles code; returns null on failure. The only consequence of a failure, even of exhausted
    /// memory, is a slower kernel.
    private CompiledKernel compile(KernelCode code) {
        long startNs = System.nanoTime();
        try {
            if (code.size() > MOST_INSTRUCTIONS) {
                throw new IllegalArgumentException(
                        "instructions=%d, limit=%d".formatted(code.size(), MOST_INSTRUCTIONS));
            }
            CompiledKernel kernel = KernelLoader.load(compiler.apply(code));
            compiled.incrementAndGet();
            return kernel;
        } catch (RuntimeException | Error e) {
            failed.incrementAndGet();
            LOG.debug("kernel cannot be compiled, instructions={}", code.size(), e);
            return null;
        } finally {
            compileNs.addAndGet(System.nanoTime() - startNs);
        }
    }
}
