package io.gpuvm.softgpu.sm;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that compiles waiting kernels, the most worthwhile first. The thread starts with the
/// first kernel.
///
/// The queue is bounded: when it is full, the least worthwhile kernel is dropped, and is offered
/// again when it is worth more. A guest with many kernels therefore does not block a long-running
/// kernel of another guest. Any thread may offer kernels.
final class BackgroundCompiler implements ParkingAgent, AutoCloseable {
    static final String THREAD_NAME = "gpuvm-kernel-compiler";

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCompiler.class);

    private record Request(Kernel kernel, KernelCode code) {
        int instructions() {
            return kernel.content().instructions();
        }
    }

    /// Limit of the wait for the thread's end, effectively infinite: the compilation in progress
    /// must end before the GPU's resources are released.
    private static final Duration JOIN_LIMIT = Duration.ofDays(1);

    private final int most;
    private final BiConsumer<Kernel, KernelCode> compiler;
    private final List<Request> waiting = new ArrayList<>();
    private final AgentThread thread =
            new AgentThread(
                            this,
                            new Parking(new ThreadWait()),
                            AgentThread.NO_SPIN,
                            error -> LOG.error("kernel compiler stopped: internal error", error))
                    .daemon();
    private int instructions;
    private long postponed;
    private boolean started;
    private Kernel current;
    private boolean closed;

    /// @param most maximum total number of instructions of waiting kernels, at least the size of
    ///   any kernel
    /// @param compiler compiles a kernel; throws nothing
    BackgroundCompiler(int most, BiConsumer<Kernel, KernelCode> compiler) {
        this.most = most;
        this.compiler = compiler;
    }

    /// Requests that a kernel be compiled.
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
        if (!started) {
            start();
        }
        thread.wake();
    }

    /// Starts the thread; if the host cannot create it, kernels wait until a later request starts
    /// the thread.
    private void start() {
        try {
            thread.start();
            started = true;
        } catch (OutOfMemoryError e) {
            LOG.debug("cannot start the kernel compiler's thread", e);
        }
    }

    /// Returns the number of dropped requests.
    synchronized long postponed() {
        return postponed;
    }

    /// Ends the thread after the current kernel; no other kernel is compiled.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        thread.end(JOIN_LIMIT);
    }

    /// Compiles the most worthwhile waiting kernel, if there is one.
    @Override
    public int doWork() {
        Request request = take();
        if (request == null) {
            return 0;
        }
        compiler.accept(request.kernel(), request.code());
        return 1;
    }

    @Override
    public synchronized boolean mayPark() {
        return waiting.isEmpty();
    }

    @Override
    public String roleName() {
        return THREAD_NAME;
    }

    private boolean isWaiting(Kernel kernel) {
        return waiting.stream().anyMatch(r -> r.kernel() == kernel);
    }

    private void remove(Request request) {
        waiting.remove(request);
        instructions -= request.instructions();
    }

    /// Removes and returns the most worthwhile request; null if there is none.
    private synchronized Request take() {
        current = null;
        if (waiting.isEmpty()) {
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
