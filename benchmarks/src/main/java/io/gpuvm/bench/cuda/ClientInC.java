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

/// Process that measures itself on request: it answers each line of its input with a line.
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

    /// Reads the line that a process writes before the first answer.
    ///
    /// @throws IllegalStateException if the process has ended; the message contains its output
    void awaitGreeting() {
        read("start");
    }

    /// Sends a request, and waits for the answer.
    ///
    /// @throws IllegalStateException if the process has ended, for instance because a result was
    ///   wrong; the message contains its output
    String ask(String request) {
        try {
            requests.write(request);
            requests.write('\n');
            requests.flush();
        } catch (IOException e) {
            throw failed(request);
        }
        return read(request);
    }

    private String read(String request) {
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw failed(request);
            }
            return answer;
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
