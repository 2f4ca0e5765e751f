package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread that compiles kernels, of those that wait the one first that is worth most. It starts
/// with the first one.
///
/// There is a bound to what waits. Beyond it, what is worth least is let go, to be offered again
/// when it is worth more; so whoever has many kernels compiled does not keep out who has one that
/// runs for long. Any thread.
final class BackgroundCompiler implements AutoCloseable {
    static final String THREAD_NAME = "gpuvm-kernel-compiler";

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCompiler.class);

    private record Request(Kernel kernel, KernelCode code) {
        int instructions() {
            return kernel.content().instructions();
        }
    }

    private final int most;
    private final BiConsumer<Kernel, KernelCode> compiler;
    private final List<Request> waiting = new ArrayList<>();
    private int instructions;
    private long postponed;
    private Thread thread;
    private Kernel current;
    private boolean closed;

    /// @param most instructions that may wait altogether, at least as many as any kernel has
    /// @param compiler compiles a kernel; throws nothing
    BackgroundCompiler(int most, BiConsumer<Kernel, KernelCode> compiler) {
        this.most = most;
        this.compiler = compiler;
    }

    /// Asks that a kernel be compiled.
    synchronized void offer(Kernel kernel, KernelCode code) {
        if (closed || kernel.isSettled() || kernel == current || isWaiting(kernel)) {
            return;
        }
        kernel.requested();
        Request request = new Request(kernel, code);
        waiting.add(request);
        instructions += request.instructions();
        while (instructions > most) {
            Request least =
                    waiting.stream()
                            .min(Comparator.comparingDouble(r -> r.kernel().worth()))
                            .orElseThrow();
            remove(least);
            least.kernel().postpone();
            postponed++;
        }
        if (thread == null) {
            start();
        }
        notifyAll();
    }

    /// If the host has no thread to give, kernels wait until one that asks later gets it.
    private void start() {
        Thread fresh = Thread.ofPlatform().daemon().name(THREAD_NAME).unstarted(this::work);
        try {
            fresh.start();
            thread = fresh;
        } catch (OutOfMemoryError e) {
            LOG.debug("no thread to compile kernels", e);
        }
    }

    /// How often a kernel was let go.
    synchronized long postponed() {
        return postponed;
    }

    /// Ends the thread, once it has done with what it is at; nothing else is compiled.
    @Override
    public void close() {
        Thread toEnd;
        synchronized (this) {
            closed = true;
            waiting.clear();
            toEnd = thread;
            notifyAll();
        }
        boolean interrupted = false;
        while (toEnd != null && toEnd.isAlive()) {
            try {
                toEnd.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWaiting(Kernel kernel) {
        return waiting.stream().anyMatch(r -> r.kernel() == kernel);
    }

    private void remove(Request request) {
        waiting.remove(request);
        instructions -= request.instructions();
    }

    private void work() {
        while (compileNext()) {}
    }

    /// In a method of its own, so that nothing is kept while the thread waits.
    private boolean compileNext() {
        Request request = take();
        if (request == null) {
            return false;
        }
        compiler.accept(request.kernel(), request.code());
        return true;
    }

    /// Waits for a request; null if it is to end.
    private synchronized Request take() {
        current = null;
        while (waiting.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException _) {
                // Nobody has reason to; whoever wants it to end closes it.
            }
        }
        if (closed) {
            return null;
        }
        Request best =
                waiting.stream()
                        .max(Comparator.comparingDouble(r -> r.kernel().worth()))
                        .orElseThrow();
        remove(best);
        current = best.kernel();
        return best;
    }
}
