package io.gpuvm.guests.cuda;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.OutputThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Place with a GPU, in which the program `timed` runs commands on request and measures them: a
/// process, or a virtual machine.
///
/// One thread runs commands; another one passes the lines of `timed`.
final class TimedPlace {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANSWER = "{";

    /// Line after the last one of a process.
    private static final String END = "";

    private final String name;
    private final Path files;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private Consumer<String> input = _ -> {};
    private volatile String lastOther = "";

    /// @param name name in tables
    /// @param files folder of the programs in this place
    TimedPlace(String name, Path files) {
        this.name = name;
        this.files = files;
    }

    /// Result of a command.
    ///
    /// @param status exit status, as of a shell
    /// @param ns duration by the clock of the place
    /// @param hostNs duration by the clock of this process, with the request and the answer
    /// @param last last line of its output
    record Run(int status, long ns, long hostNs, String last) {}

    String name() {
        return name;
    }

    /// Starts a process that is, or starts, `timed`.
    ///
    /// @param log file for its errors
    static TimedPlace inProcess(
            String name,
            Path files,
            List<String> command,
            Map<String, String> environment,
            Path log,
            Children children) {
        TimedPlace place = new TimedPlace(name, files);
        Process process = children.startTalking(command, environment, log);
        Writer writer = process.outputWriter(StandardCharsets.UTF_8);
        place.input = line -> send(writer, line);
        OutputThread.start("timed-" + name, () -> place.copy(process));
        return place;
    }

    private static void send(Writer writer, String line) {
        try {
            writer.write(line + "\n");
            writer.flush();
        } catch (IOException _) {
            // The process has ended; so does its output.
        }
    }

    private void copy(Process process) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = output.readLine()) != null; ) {
                accept(line);
            }
        } catch (IOException _) {
            // The process was terminated.
        }
        lines.add(END);
    }

    /// Connects the place to a virtual machine.
    ///
    /// @param sender sends a line to the machine
    void connect(Consumer<String> sender) {
        input = sender;
    }

    /// Receives an event of the virtual machine. Any thread.
    void accept(GuestEvent event) {
        if (event instanceof GuestEvent.Other other) {
            accept(other.line());
        }
    }

    private void accept(String line) {
        if (line.startsWith(ANSWER)) {
            lines.add(line);
        } else if (!line.isBlank()) {
            lastOther = line;
        }
    }

    /// Waits until `timed` is ready.
    ///
    /// @throws IllegalStateException if the limit expires
    void awaitReady(Duration limit) throws InterruptedException {
        next("start", limit);
    }

    /// Runs a command.
    ///
    /// @param folder folder of the command, relative to that of the programs
    /// @throws IllegalStateException if there is no answer in time
    Run run(String folder, String command, Duration limit) throws InterruptedException {
        long startNs = System.nanoTime();
        input.accept(files.resolve(folder) + " " + command);
        JsonNode answer = next(command, limit);
        long hostNs = System.nanoTime() - startNs;
        return new Run(
                answer.path("status").asInt(),
                answer.path("ns").asLong(),
                hostNs,
                answer.path("last").asText());
    }

    private JsonNode next(String what, Duration limit) throws InterruptedException {
        String line = lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        try {
            if (line != null && !line.equals(END)) {
                return JSON.readTree(line);
            }
        } catch (JsonProcessingException e) {
            lastOther = line;
        }
        throw new IllegalStateException(
                "%s: %s: %s; last line: %s"
                        .formatted(
                                name,
                                what,
                                line == null
                                        ? "no answer in %d s".formatted(limit.toSeconds())
                                        : "no answer",
                                lastOther));
    }
}
