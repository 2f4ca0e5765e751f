package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gpuvm.cli.CommandFailedException;
import io.gpuvm.cli.ControlConnection;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuThreads;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `gpuvm serve` on its own processors. Its counters are read through the control socket. One
/// thread.
final class MeasuredBackend {
    /// Value of `--command-limit`, in seconds: high enough for every measured command.
    private static final String COMMAND_SECONDS = "3600";

    private static final String VRAM = "1G";
    private static final long KIB = 1 << 10;
    private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s*(\\d+) kB$");

    private final Path control;
    private final Process process;
    private final GpuThreads threads;
    private final DelayingThreads delaying;

    private MeasuredBackend(Process process, ProcessorSplit split, GuestScope scope) {
        this.process = process;
        control = control(scope.folder());
        threads = new GpuThreads(process.pid());
        delaying =
                new DelayingThreads(threads, split, scope.children(), scope.folder().serverLog());
    }

    /// Returns the value of `--gpu` for every software GPU of an evaluation: one worker per
    /// processor of the backend.
    static String gpu(ProcessorSplit split) {
        return "soft,vram=%s,workers=%d".formatted(VRAM, split.backends().numbers().size());
    }

    /// Starts a backend. Returns when guests can connect.
    ///
    /// @param vms keys of `--vm`, by virtual machine; the sockets are in the scope's folder
    /// @param split processors of the backend and of the guests; the backend's [DelayingThreads]
    ///   run on the guests' processors
    /// @param scope ends the backend
    /// @throws GuestLostException if the backend does not start; the message contains its log
    static MeasuredBackend start(
            Map<String, Map<String, String>> vms, ProcessorSplit split, GuestScope scope)
            throws InterruptedException {
        Process process;
        try {
            process =
                    ServerStart.start(
                            arguments(vms, split, scope.folder()),
                            new ServerProcess(split.backends(), Map.of()),
                            scope.folder(),
                            scope.children(),
                            _ -> {});
        } catch (IllegalStateException e) {
            throw new GuestLostException("the backend did not start: " + e.getMessage());
        }
        scope.add(process, Children::end);
        MeasuredBackend backend = new MeasuredBackend(process, split, scope);
        backend.moveDelayingThreads();
        return backend;
    }

    private static List<String> arguments(
            Map<String, Map<String, String>> vms, ProcessorSplit split, RunFolder folder) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--gpu", gpu(split)));
        arguments.addAll(List.of("--command-limit", COMMAND_SECONDS));
        arguments.addAll(List.of("--ctl", control(folder).toString()));
        vms.forEach((name, keys) -> {
            StringBuilder option = new StringBuilder(name);
            keys.forEach((key, value) -> option.append(',').append(key).append('=').append(value));
            option.append(",socket=").append(folder.socket(name));
            arguments.addAll(List.of("--vm", option.toString()));
        });
        return arguments;
    }

    private static Path control(RunFolder folder) {
        return folder.socket("control");
    }

    /// Moves the [DelayingThreads] that have started since the last call to the guests' processors.
    ///
    /// @throws IllegalStateException if Linux refuses to move a thread
    void moveDelayingThreads() throws InterruptedException {
        delaying.move();
    }

    /// Reads the counters.
    ///
    /// @throws GuestLostException if the backend does not answer
    GpuReading read() {
        JsonNode answer;
        try {
            answer =
                    ControlConnection.ask(
                            control,
                            JsonNodeFactory.instance.objectNode().put("request", "summary"));
        } catch (CommandFailedException e) {
            throw new GuestLostException("the backend does not answer: " + e.getMessage());
        }
        return GpuReading.ofBackend(answer.path("summary"), threads.times());
    }

    /// Returns the proportional set size of the process, in bytes.
    ///
    /// @throws GuestLostException if the process has ended
    long memoryBytes() {
        try {
            String rollup =
                    Files.readString(Path.of("/proc/%d/smaps_rollup".formatted(process.pid())));
            Matcher matcher = PSS.matcher(rollup);
            if (matcher.find()) {
                return Long.parseLong(matcher.group(1)) * KIB;
            }
            throw new GuestLostException("smaps_rollup of the backend has no line Pss:");
        } catch (IOException e) {
            throw new GuestLostException("cannot read the backend's memory usage: " + e);
        }
    }
}
