package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One run of a client's process.
///
/// @param status exit status; meaningless if the time limit was exceeded
/// @param late whether the process was killed at the time limit
/// @param output last lines of its output
/// @param trace its calls
record ClientProcess(int status, boolean late, List<String> output, CallTrace trace) {
    /// Time limit of a client, generous enough for a busy machine.
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final int SHOWN_LINES = 12;

    /// Runs a client.
    ///
    /// @param environment environment variables, in addition to those of this process
    /// @param name name of the run's files in the folder
    static ClientProcess run(
            List<String> command,
            Map<String, String> environment,
            String name,
            Path folder,
            Children children)
            throws InterruptedException {
        Path log = folder.resolve(name + ".log");
        Path trace = folder.resolve(name + ".calls");
        Map<String, String> all = new HashMap<>(environment);
        all.put(CallTrace.VARIABLE, trace.toString());
        Process process = children.start(command, all, log, log);
        boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            Children.end(process);
        }
        return new ClientProcess(
                process.exitValue(),
                !ended,
                RunFolder.tail(log, SHOWN_LINES),
                CallTrace.read(trace));
    }

    boolean succeeded() {
        return !late && status == 0;
    }

    /// Returns whether a check of the client's results failed, or a call.
    boolean reportedFailure() {
        return !late && status != 0 && output.stream().anyMatch(line -> line.contains("FAILED"));
    }

    /// Returns the cause of a failure, in one line.
    String cause() {
        if (late) {
            return "not finished, limit=%d s".formatted(LIMIT.toSeconds());
        }
        String last =
                output.stream()
                        .filter(line -> line.contains("FAILED"))
                        .findFirst()
                        .orElse(output.isEmpty() ? "no output" : output.getLast());
        return "exit status %d: %s".formatted(status, last);
    }
}
