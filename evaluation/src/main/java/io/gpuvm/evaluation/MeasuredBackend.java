package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gpuvm.cli.CommandFailedException;
import io.gpuvm.cli.ControlConnection;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ThisBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `gpuvm serve` on its own processors, whose counters are read at any moment through its control
/// socket. One thread.
final class MeasuredBackend implements AutoCloseable {
    /// Value of `--command-limit`, in seconds: high enough for every measured command.
    private static final String COMMAND_SECONDS = "3600";

    private static final int SHOWN_LINES = 5;
    private static final long KIB = 1 << 10;
    private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s*(\\d+) kB$");

    private final Path control;
    private final Process process;
    private final GpuThreads threads;
    private final CompilerThreads compilers;

    private MeasuredBackend(
            Path control, Process process, ProcessorSplit split, Children children, Path log) {
        this.control = control;
        this.process = process;
        threads = new GpuThreads(process.pid());
        compilers = new CompilerThreads(threads, split, children, log);
    }

    /// Starts a backend. Returns when guests can connect.
    ///
    /// @param gpu value of `--gpu`
    /// @param vms keys of each virtual machine, by name; the socket is that of the folder
    /// @param split processors of its threads; its compilers run on those of the guests, because
    ///   they would delay the GPU
    /// @throws GuestLostException if it does not start; the message contains the end of its log
    static MeasuredBackend start(
            String gpu,
            Map<String, Map<String, String>> vms,
            ProcessorSplit split,
            RunFolder folder,
            Children children)
            throws InterruptedException {
        Path control = folder.socket("control");
        List<String> arguments = new ArrayList<>(List.of("serve", "--gpu", gpu));
        arguments.addAll(List.of("--command-limit", COMMAND_SECONDS));
        arguments.addAll(List.of("--ctl", control.toString()));
        vms.forEach((name, keys) -> {
            StringBuilder option = new StringBuilder(name);
            keys.forEach((key, value) -> option.append(',').append(key).append('=').append(value));
            option.append(",socket=").append(folder.socket(name));
            arguments.addAll(List.of("--vm", option.toString()));
        });
        List<String> command =
                Pinning.command(split.backends(), ThisBuild.gpuvm(JvmOptions.backend(), arguments));
        Process process = children.start(command, null, folder.serverLog());
        if (!isReady(process)) {
            throw new GuestLostException(
                    "the backend did not start: "
                            + String.join("; ", RunFolder.tail(folder.serverLog(), SHOWN_LINES)));
        }
        MeasuredBackend backend =
                new MeasuredBackend(control, process, split, children, folder.serverLog());
        backend.moveCompilers();
        return backend;
    }

    private static boolean isReady(Process process) {
        try {
            BufferedReader out = process.inputReader();
            return "ready".equals(out.readLine());
        } catch (IOException _) {
            return false;
        }
    }

    /// Moves the compilers' threads that have started since the last call to the guests'
    /// processors.
    ///
    /// @throws GuestLostException if Linux refuses
    void moveCompilers() throws InterruptedException {
        compilers.move();
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
    long memoryBytes() {
        try {
            String rollup =
                    Files.readString(Path.of("/proc/%d/smaps_rollup".formatted(process.pid())));
            Matcher matcher = PSS.matcher(rollup);
            if (matcher.find()) {
                return Long.parseLong(matcher.group(1)) * KIB;
            }
            throw new GuestLostException("smaps_rollup of the backend has no line Pss");
        } catch (IOException e) {
            throw new GuestLostException("memory of the backend: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
