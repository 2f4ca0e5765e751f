package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Processes that end with their run: at a normal end, on Ctrl-C, and when this JVM is killed. For
/// the last case, Linux signals each process at the end of the thread that started it
/// (`PR_SET_PDEATHSIG`), so processes must be started on the thread that calls the run.
///
/// A shutdown hook may use this object concurrently with that thread.
public final class Children implements AutoCloseable {
    /// Program that sets the death signal and executes the command. It belongs to util-linux, an
    /// essential package.
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final List<Process> processes = new ArrayList<>();
    private boolean closed;

    /// Starts a process. Its standard input is empty.
    ///
    /// @param output file for its standard output, or null for a pipe
    /// @param errors file to which its standard error is appended
    public Process start(List<String> command, Path output, Path errors) {
        return start(command, Map.of(), output, errors);
    }

    /// Starts a process with additional environment variables. Its standard input is empty.
    ///
    /// @param output file for its standard output, or null for a pipe
    /// @param errors file to which its standard error is appended
    public Process start(
            List<String> command, Map<String, String> environment, Path output, Path errors) {
        Redirect nothing = Redirect.from(Path.of("/dev/null").toFile());
        return start(command, environment, nothing, output, errors);
    }

    /// Starts a process with pipes for its standard input and output.
    ///
    /// @param errors file to which its standard error is appended
    public Process startTalking(List<String> command, Path errors) {
        return startTalking(command, Map.of(), errors);
    }

    /// Starts a process with pipes for its standard input and output, and with additional
    /// environment variables.
    ///
    /// @param errors file to which its standard error is appended
    public Process startTalking(
            List<String> command, Map<String, String> environment, Path errors) {
        return start(command, environment, Redirect.PIPE, null, errors);
    }

    private Process start(
            List<String> command,
            Map<String, String> environment,
            Redirect input,
            Path output,
            Path errors) {
        ProcessBuilder builder =
                new ProcessBuilder(withDeathSignal(command))
                        .redirectInput(input)
                        .redirectError(Redirect.appendTo(errors.toFile()));
        if (output != null) {
            builder.redirectOutput(Redirect.appendTo(output.toFile()));
        }
        return start(builder, environment);
    }

    private static List<String> withDeathSignal(List<String> command) {
        List<String> full = new ArrayList<>();
        if (Files.isExecutable(SETPRIV)) {
            full.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "TERM", "--"));
        }
        full.addAll(command);
        return full;
    }

    private synchronized Process start(ProcessBuilder builder, Map<String, String> environment) {
        if (closed) {
            throw new IllegalStateException("the run has ended");
        }
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Terminates a process, and kills it if it has not ended after 5 s.
    public static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// Ends all processes in reverse order of their start, so that guests end before their server.
    @Override
    public synchronized void close() {
        closed = true;
        processes.reversed().forEach(Children::end);
    }
}
