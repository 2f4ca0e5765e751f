package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuThreads;
import io.gpuvm.guests.real.Pinning;
import io.gpuvm.guests.real.ProcessorSplit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Threads that belong to a process with a GPU but run on the guests' processors: the compilers and
/// the GPU's owner. On the GPU's processors, they would delay the GPU; a card would not share its
/// processors with them. The thread that compiles kernels starts with the first compilation, on the
/// processors of the engine that starts it. One thread.
final class DelayingThreads {
    private final GpuThreads threads;
    private final ProcessorSplit split;
    private final Children children;
    private final Path log;
    private final Set<Long> moved = new HashSet<>();

    /// @param threads threads of the process
    /// @param log file to which errors of `taskset` are appended
    DelayingThreads(GpuThreads threads, ProcessorSplit split, Children children, Path log) {
        this.threads = threads;
        this.split = split;
        this.children = children;
        this.log = log;
    }

    /// Moves the threads that have started since the last call.
    ///
    /// @throws IllegalStateException if Linux refuses to move a thread
    void move() throws InterruptedException {
        List<Long> started = new ArrayList<>(threads.delayingIds());
        started.removeAll(moved);
        Pinning.moveThreads(started, split.guests(), children, log);
        moved.addAll(started);
    }
}
