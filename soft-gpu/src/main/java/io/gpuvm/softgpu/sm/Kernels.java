package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The kernels of one GPU, and what executes them.
///
/// A kernel is compiled once for as long as it is in use or was lately ([KernelTable]); after that
/// its class goes. One that the compiler can't do is interpreted and not tried again. With
/// [ExecutionMode#TIERED] one thread compiles, which starts with the first kernel that is worth it
/// and ends with [#close()]. Used by the threads of all multiprocessors.
public final class Kernels implements AutoCloseable {
    /// Instructions that a kernel is compiled of at the most.
    static final int MOST_INSTRUCTIONS = 1 << 14;

    /// Instructions of kernels that are not in use, but were lately.
    static final int RECENT_INSTRUCTIONS = 1 << 16;

    /// Instructions of kernels that wait to be compiled.
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

    /// @param compiler makes classes of kernels; any thread, several at a time
    /// @param recent instructions of kernels that are kept without being in use
    Kernels(ExecutionMode mode, Function<KernelCode, KernelClass> compiler, int recent) {
        this.mode = mode;
        this.compiler = compiler;
        table = new KernelTable(recent);
    }

    /// What executes kernels.
    ExecutionMode mode() {
        return mode;
    }

    /// What the GPU's multiprocessors had the interpreter do.
    public InterpreterTallies tallies() {
        return tallies;
    }

    /// The kernel with a content.
    Kernel kernel(KernelContent content) {
        return table.kernel(content);
    }

    /// A multiprocessor takes up a kernel, or leaves it.
    void use(Kernel kernel) {
        table.use(kernel);
    }

    /// Compiles a kernel, unless that has been done or tried; waits for whoever is at it.
    void compile(Kernel kernel, KernelCode code) {
        if (kernel.compile(() -> compile(code))) {
            table.settle(kernel);
        }
    }

    /// Has a kernel compiled in the background.
    void request(Kernel kernel, KernelCode code) {
        background.offer(kernel, code);
    }

    /// What has happened so far. Any thread.
    public KernelCounters counters() {
        return new KernelCounters(
                compiled.get(),
                failed.get(),
                background.postponed(),
                table.classes(),
                compileNs.get());
    }

    /// Stops compiling in the background; waits for what is being compiled. No multiprocessor runs
    /// any more.
    @Override
    public void close() {
        background.close();
    }

    /// Whatever goes wrong here, memory that runs out too, is of the guest's making and costs it
    /// the speed of the kernel.
    private CompiledKernel compile(KernelCode code) {
        long startNs = System.nanoTime();
        try {
            if (code.size() > MOST_INSTRUCTIONS) {
                throw new IllegalArgumentException("instructions>" + MOST_INSTRUCTIONS);
            }
            CompiledKernel kernel = KernelLoader.load(compiler.apply(code));
            compiled.incrementAndGet();
            return kernel;
        } catch (RuntimeException | Error e) {
            failed.incrementAndGet();
            LOG.debug("a kernel of {} instructions is interpreted", code.size(), e);
            return null;
        } finally {
            compileNs.addAndGet(System.nanoTime() - startNs);
        }
    }
}
