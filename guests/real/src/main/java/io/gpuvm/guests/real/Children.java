package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The processes of a run. None outlives it: not an orderly end, not Ctrl-C, not even a kill of
/// this JVM, for which each asks the kernel for a signal when the thread that started it ends
/// (`PR_SET_PDEATHSIG`). So that thread must be the one that runs the run.
///
/// Safe for use by a shutdown hook beside that thread.
public final class Children implements AutoCloseable {
    /// Sets the death signal and becomes the command; of util-linux, an essential package.
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final List<Process> processes = new ArrayList<>();
    private boolean closed;

    /// Starts a process. Its input is empty; its output, without an `output` file, is a pipe.
    ///
    /// @param output where its standard output goes, or null for a pipe
    /// @param errors where its standard error is appended
    public Process start(List<String> command, Path output, Path errors) {
        return start(command, Redirect.from(Path.of("/dev/null").toFile()), output, errors);
    }

    /// Starts a process whose input and output are pipes.
    ///
    /// @param errors where its standard error is appended
    public Process startTalking(List<String> command, Path errors) {
        return start(command, Redirect.PIPE, null, errors);
    }

    private synchronized Process start(
            List<String> command, Redirect input, Path output, Path errors) {
        if (closed) {
            throw new IllegalStateException("the run is over");
        }
        List<String> full = new ArrayList<>();
        if (Files.isExecutable(SETPRIV)) {
            full.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "TERM", "--"));
        }
        full.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(full)
                        .redirectInput(input)
                        .redirectError(Redirect.appendTo(errors.toFile()));
        if (output != null) {
            builder.redirectOutput(Redirect.appendTo(output.toFile()));
        }
        try {
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Asks a process to end, and after a while makes it.
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

    /// Ends all, last started first: guests before what serves them.
    @Override
    public synchronized void close() {
        closed = true;
        processes.reversed().forEach(Children::end);
    }
}
