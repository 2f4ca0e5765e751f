package io.gpuvm.bench.pv;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `gpuvm serve` as a separate process of this build.
///
/// The sockets and the log of the backend are in a folder, which remains after the process.
public final class BackendProcess implements AutoCloseable {
    private final Path folder;
    private final Children children = new Children();
    private Process process;

    private BackendProcess(Path folder) {
        this.folder = folder;
    }

    /// Starts a backend for paravirtual guests, and waits until the guests can connect.
    ///
    /// @param folder folder for the sockets and the log; the path must be short, because it is part
    ///   of socket addresses
    /// @param guests names of the guests, which are also the names of their sockets
    /// @param options additional options, as on the command line
    /// @throws IllegalStateException if the backend does not start; the message contains the log
    public static BackendProcess start(Path folder, List<String> guests, List<String> options) {
        Map<String, String> modes = new LinkedHashMap<>();
        guests.forEach(guest -> modes.put(guest, "pv"));
        return start(folder, modes, options);
    }

    /// Starts a backend, and waits until the guests can connect.
    ///
    /// @param folder folder for the sockets and the log; the path must be short, because it is part
    ///   of socket addresses
    /// @param modes modes of the guests (`mode=` of `gpuvm serve`) by name; the names are also
    ///   those of the sockets
    /// @param options additional options, as on the command line
    /// @throws IllegalStateException if the backend does not start; the message contains the log
    public static BackendProcess start(
            Path folder, Map<String, String> modes, List<String> options) {
        BackendProcess backend = new BackendProcess(folder);
        try {
            backend.start(modes, options);
            return backend;
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /// Returns the path of a guest's socket.
    public Path socket(String guest) {
        return folder.resolve(guest);
    }

    /// Returns the id of the process.
    public long pid() {
        return process.pid();
    }

    /// Returns the log.
    public String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Kills the process, to simulate a crash.
    public void kill() {
        process.destroyForcibly();
    }

    /// Terminates the process, by its normal shutdown if possible.
    @Override
    public void close() {
        children.close();
    }

    private void start(Map<String, String> modes, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        arguments.addAll(options);
        modes.forEach((guest, mode) ->
                arguments.addAll(
                        List.of(
                                "--vm",
                                "%s,mode=%s,socket=%s".formatted(guest, mode, socket(guest)))));
        List<String> jvm = JvmOptions.backend();
        process = children.start(ThisBuild.gpuvm(jvm, arguments), null, logFile());
        if (!isReady()) {
            throw new IllegalStateException("the backend did not start:\n" + log());
        }
    }

    private boolean isReady() {
        try {
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            return "ready".equals(out.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path logFile() {
        return folder.resolve("log");
    }
}
