package io.gpuvm.demo;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A paravirtual guest that comes again and again: each time a process of its own that runs its
/// workload once, checks the result, and ends.
///
/// Confined to one thread, which its processes do not outlive (see [Children]).
final class GuestProcess {
    /// For one process, on a machine that has much else to do.
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final String VERIFIED = ": verified";
    private static final int SHOWN_LINES = 10;

    private final DemoPlan.Worker worker;
    private final RunFolder folder;
    private final Children children;
    private Process process;
    private long startNs;
    private long endNs;
    private int verified;
    private String failure;

    GuestProcess(DemoPlan.Worker worker, RunFolder folder, Children children) {
        this.worker = worker;
        this.folder = folder;
        this.children = children;
    }

    String name() {
        return worker.vm().name();
    }

    String workload() {
        return worker.workload();
    }

    /// How often its results were verified.
    int verified() {
        return verified;
    }

    /// What went wrong, or null. Then it does not come again.
    String failure() {
        return failure;
    }

    /// When it ended last, by [System#nanoTime()].
    long endNs() {
        return endNs;
    }

    boolean isRunning() {
        return process != null;
    }

    /// Comes once more, if it was never wrong.
    void start() {
        if (failure != null) {
            return;
        }
        try {
            Files.deleteIfExists(said());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String socket = folder.socket(name()).toString();
        List<String> command =
                ThisBuild.gpuvm(
                        List.of(JvmOptions.kernels()),
                        List.of("run", worker.workload(), "--socket", socket));
        startNs = System.nanoTime();
        process = children.start(command, said(), log());
    }

    /// Looks whether it has ended.
    ///
    /// @return what it said last if so: the line with the result; null if it goes on
    String poll() {
        if (process.isAlive()) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                failure = "did not end, limit=%d s".formatted(LIMIT.toSeconds());
                process.destroyForcibly();
                process = null;
                return failure;
            }
            return null;
        }
        int status = process.exitValue();
        endNs = System.nanoTime();
        process = null;
        List<String> results =
                RunFolder.tail(said(), Integer.MAX_VALUE).stream()
                        .filter(line -> line.contains(VERIFIED))
                        .toList();
        if (status == 0 && results.size() == 1) {
            verified++;
            return results.getFirst();
        }
        failure =
                "%s: exit status %d, results verified %d; its log:%n%s"
                        .formatted(
                                worker.workload(),
                                status,
                                results.size(),
                                String.join("\n", RunFolder.tail(log(), SHOWN_LINES)));
        return failure;
    }

    private Path said() {
        return folder.path().resolve(name() + ".out");
    }

    private Path log() {
        return folder.path().resolve(name() + ".log");
    }
}
