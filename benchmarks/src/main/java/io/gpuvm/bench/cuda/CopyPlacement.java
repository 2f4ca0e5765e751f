package io.gpuvm.bench.cuda;

import io.gpuvm.bench.pv.BackendProcess;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuThreads;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.Pinning;
import io.gpuvm.guests.real.ProcessorSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Processors during the measurement of copies: the programs copy on one half of the processors,
/// the GPUs on the other half. A program that answers requests is woken on an idle processor, often
/// that on which the GPU will be woken. Linux may then leave both on that processor for some
/// milliseconds, which is as long as a whole copy, and program and GPU copy in turn instead of at
/// the same time. A host with one processor has no halves.
///
/// Confined to the thread that copies.
final class CopyPlacement {
    /// Folder of the reading thread (proc(5)).
    private static final Path THIS_THREAD = Path.of("/proc/thread-self");

    private final ProcessorSplit split = ProcessorSplit.of(HostProcessors.available().numbers());
    private final ClientInC client;
    private final BackendProcess backend;
    private final Children children;
    private final Path log;

    /// @param log file to which errors of `taskset` are appended
    CopyPlacement(ClientInC client, BackendProcess backend, Children children, Path log) {
        this.client = client;
        this.backend = backend;
        this.children = children;
        this.log = log;
    }

    /// Measures while this thread and the client have one half of the processors, and the engines
    /// of this process and of the backend the other half.
    ///
    /// @throws IllegalStateException if Linux refuses to move a thread
    <T> T apart(Supplier<T> measurement) throws InterruptedException {
        List<Long> programs = List.of(thisThread(), client.pid());
        List<Long> engines =
                Stream.of(ProcessHandle.current().pid(), backend.pid())
                        .flatMap(pid -> new GpuThreads(pid).ids().stream())
                        .toList();
        move(programs, split.guests());
        move(engines, split.backends());
        T result = measurement.get();
        move(programs, split.all());
        move(engines, split.all());
        return result;
    }

    private void move(List<Long> threads, HostProcessors processors) throws InterruptedException {
        Pinning.moveThreads(threads, processors, children, log);
    }

    private static long thisThread() {
        try {
            return Long.parseLong(Files.readSymbolicLink(THIS_THREAD).getFileName().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
