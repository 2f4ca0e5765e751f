package io.gpuvm.evaluation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Threads of a process that run the engines of its software GPU, as Linux lists them.
final class GpuThreads {
    /// Threads of the engines and of compute kernels. Linux truncates names to 15 characters.
    private static final List<String> OWN = List.of("gpuvm-softgpu", "gpuvm-worker-");

    /// Thread of the GPU's owner, which also runs the engines if no thread has the names above.
    private static final String SHARED = "gpuvm-gpu";

    private final Path tasks;

    /// @param pid id of the process
    GpuThreads(long pid) {
        this(Path.of("/proc/%d/task".formatted(pid)));
    }

    /// @param tasks folder with a subfolder per thread
    GpuThreads(Path tasks) {
        this.tasks = tasks;
    }

    /// Returns the processor time of the threads, in nanoseconds: exact while they sleep, otherwise
    /// up to a clock tick old.
    long cpuNs() {
        long ns = 0;
        for (Path task : all()) {
            String times = content(task.resolve("schedstat"));
            int end = times.indexOf(' ');
            ns += end < 0 ? 0 : Long.parseLong(times.substring(0, end));
        }
        return ns;
    }

    /// Returns the ids of the threads.
    List<Long> ids() {
        return all().stream().map(task -> Long.valueOf(task.getFileName().toString())).toList();
    }

    private List<Path> all() {
        List<Path> own = new ArrayList<>();
        List<Path> shared = new ArrayList<>();
        try (Stream<Path> folders = Files.list(tasks)) {
            for (Path task : folders.toList()) {
                String name = content(task.resolve("comm")).strip();
                if (OWN.stream().anyMatch(name::startsWith)) {
                    own.add(task);
                } else if (name.equals(SHARED)) {
                    shared.add(task);
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return own.isEmpty() ? shared : own;
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
