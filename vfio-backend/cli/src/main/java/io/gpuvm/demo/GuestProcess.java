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

/// A paravirtual guest that runs repeatedly. Each run is a separate process that runs the workload
/// once, verifies the result, and ends.
///
/// Confined to one thread, which its processes do not outlive (see [Children]).
final class GuestProcess {
    /// Time limit of one process, generous enough for a busy machine.
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

    /// Returns the number of verified results.
    int verified() {
        return verified;
    }

    /// Returns the reason for the failure, or null. A failed guest does not run again.
    String failure() {
        return failure;
    }

    /// Returns the time at which the last run ended, by [System#nanoTime()].
    long endNs() {
        return endNs;
    }

    boolean isRunning() {
        return process != null;
    }

    /// Starts another run, unless the guest has failed.
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

    /// Checks whether the run has ended.
    ///
    /// @return last line of the output, with the result; null if the run has not ended
    String poll() {
        if (process.isAlive()) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                failure = "not finished, limit=%d s".formatted(LIMIT.toSeconds());
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
