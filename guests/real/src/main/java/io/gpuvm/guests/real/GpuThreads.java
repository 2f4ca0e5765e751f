package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Threads of a process, as Linux lists them: those that run the engines of a software GPU, and
/// those that compile code.
public final class GpuThreads {
    /// Name of the thread that runs engines. Linux truncates names to 15 characters.
    private static final String ENGINES = "gpuvm-softgpu";

    /// Beginning of the names of threads that run compute kernels, beside the engines' thread.
    private static final String WORKER = "gpuvm-worker-";

    /// Beginnings of the names of threads that compile: the JVM's compilers and the compiler of
    /// kernels.
    private static final List<String> COMPILERS =
            List.of("C1 CompilerThre", "C2 CompilerThre", "gpuvm-kernel-co");

    /// Name of the thread of the GPU's owner, which also runs the engines if these have no thread.
    private static final String OWNER = "gpuvm-gpu";

    private final Path tasks;

    /// @param pid id of the process
    public GpuThreads(long pid) {
        this(Path.of("/proc/%d/task".formatted(pid)));
    }

    /// @param tasks folder with a subfolder per thread
    GpuThreads(Path tasks) {
        this.tasks = tasks;
    }

    /// Times of the threads, in nanoseconds: exact while the threads sleep, otherwise up to a clock
    /// tick old.
    ///
    /// @param cpuNs time in which the threads had a processor
    /// @param delayNs time in which the threads were ready to run, but had no processor
    public record Times(long cpuNs, long delayNs) {
        /// Times of threads that have never run.
        public static final Times NONE = new Times(0, 0);

        private Times plus(Times other) {
            return new Times(cpuNs + other.cpuNs, delayNs + other.delayNs);
        }
    }

    /// Reads the total times of the threads that run the engines.
    public Times times() {
        return all().stream().map(GpuThreads::timesOf).reduce(Times.NONE, Times::plus);
    }

    /// Reads the file `schedstat`: processor time, delay and number of time slices.
    private static Times timesOf(Path task) {
        String[] fields = content(task.resolve("schedstat")).strip().split(" ");
        return fields.length < 2
                ? Times.NONE
                : new Times(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    }

    /// Returns the ids of the threads that run the engines.
    public List<Long> ids() {
        return idsOf(all());
    }

    /// Returns the ids of the threads that would delay the GPU on its processor: the compilers, and
    /// the GPU's owner, unless it runs the engines.
    public List<Long> delayingIds() {
        List<Long> ids = new ArrayList<>(idsOf(named(COMPILERS)));
        if (!named(List.of(ENGINES)).isEmpty()) {
            ids.addAll(idsOf(named(List.of(OWNER))));
        }
        return ids;
    }

    private List<Path> all() {
        List<Path> own = named(List.of(ENGINES));
        List<Path> threads = new ArrayList<>(own.isEmpty() ? named(List.of(OWNER)) : own);
        threads.addAll(named(List.of(WORKER)));
        return threads;
    }

    private static List<Long> idsOf(List<Path> folders) {
        return folders.stream().map(task -> Long.valueOf(task.getFileName().toString())).toList();
    }

    /// Returns the folders of threads whose names begin with one of several texts.
    private List<Path> named(List<String> beginnings) {
        try (Stream<Path> folders = Files.list(tasks)) {
            return folders.filter(task -> isNamed(task, beginnings)).toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isNamed(Path task, List<String> beginnings) {
        String name = content(task.resolve("comm")).strip();
        return beginnings.stream().anyMatch(name::startsWith);
    }

    /// Returns the content of a file; empty if the thread has ended.
    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return "";
        }
    }
}
