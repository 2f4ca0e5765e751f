package io.gpuvm.bench.cuda;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Process that measures itself on request: it answers each line of its input with a line of
/// durations.
///
/// Confined to one thread.
final class ClientInC {
    private static final int SHOWN_LINES = 10;

    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;
    private final Path log;

    private ClientInC(Process process, Path log) {
        this.process = process;
        this.log = log;
        requests = process.outputWriter(StandardCharsets.US_ASCII);
        answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /// Starts a process.
    ///
    /// @param environment additional environment variables
    /// @param log file for its standard error
    static ClientInC start(
            List<String> command, Map<String, String> environment, Path log, Children children) {
        return new ClientInC(children.startTalking(command, environment, log), log);
    }

    /// Sends a request, and waits for the answer.
    ///
    /// @return durations in nanoseconds
    /// @throws IllegalStateException if the process has ended, for instance because a result was
    ///   wrong; the message contains its output
    long[] measure(String request) {
        try {
            requests.write(request);
            requests.write('\n');
            requests.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw failed(request);
            }
            return Stream.of(answer.split(" ")).mapToLong(Long::parseLong).toArray();
        } catch (IOException e) {
            throw failed(request);
        }
    }

    /// Returns the id of the process, which is also that of its only thread.
    long pid() {
        return process.pid();
    }

    /// Ends the process, which thereby closes its context.
    void end() throws InterruptedException {
        try {
            requests.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.waitFor();
    }

    private IllegalStateException failed(String request) {
        return new IllegalStateException(
                "%s: the process has ended:%n%s"
                        .formatted(request, String.join("\n", RunFolder.tail(log, SHOWN_LINES))));
    }
}
