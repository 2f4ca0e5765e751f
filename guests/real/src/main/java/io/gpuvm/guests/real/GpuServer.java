package io.gpuvm.guests.real;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Server of a run's GPU, in one or more processes.
public final class GpuServer {
    private static final Duration POLL = Duration.ofMillis(20);

    private final List<Process> processes = new ArrayList<>();
    private final RunFolder folder;
    private final RunListener listener;

    private GpuServer(RunFolder folder, RunListener listener) {
        this.folder = folder;
        this.listener = listener;
    }

    /// Starts the server for the given machines, and waits until all their sockets accept
    /// connections.
    ///
    /// @throws IllegalStateException if the server ends or is not ready in time; the message
    ///   contains the server's log
    public static GpuServer start(
            ServerSpec spec,
            List<VmSpec> vms,
            RunFolder folder,
            Children children,
            RunListener listener)
            throws InterruptedException {
        GpuServer server = new GpuServer(folder, listener);
        switch (spec) {
            case ServerSpec.Backend backend ->
                    server.startBackend(server.serve(backend, vms), backend.process(), children);
            case ServerSpec.Card card ->
                    server.startBackend(
                            server.device(card, vms.getFirst()), ServerProcess.DEFAULT, children);
            case ServerSpec.External external -> server.startExternal(external, vms, children);
        }
        return server;
    }

    /// Returns the process id of the backend, or of the first of several servers.
    public long pid() {
        return processes.getFirst().pid();
    }

    /// Shuts the server down normally.
    ///
    /// @return the server's summary, or a missing node if the server writes none
    public JsonNode stop() {
        processes.forEach(Children::end);
        Path summary = folder.serverSummary();
        if (!Files.exists(summary)) {
            return MissingNode.getInstance();
        }
        try {
            return GuestEvent.JSON.readTree(summary.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> serve(ServerSpec.Backend backend, List<VmSpec> vms) {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("serve", "--gpu", backend.gpu(), "--idle", backend.idle()));
        arguments.addAll(List.of("--command-limit", "" + backend.commandLimit()));
        if (backend.recording() != null) {
            arguments.addAll(List.of("--record", backend.recording().toString()));
        }
        for (VmSpec vm : vms) {
            arguments.addAll(List.of("--vm", vm.backendOption(folder.socket(vm.name()))));
        }
        return arguments;
    }

    private List<String> device(ServerSpec.Card card, VmSpec machine) {
        String socket = folder.socket(machine.name()).toString();
        return List.of("device", "--gpu", card.gpu(), "--idle", card.idle(), "--listen", socket);
    }

    private void startBackend(List<String> arguments, ServerProcess settings, Children children)
            throws InterruptedException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--stats", "1", "--summary", folder.serverSummary().toString()));
        processes.add(ServerStart.start(all, settings, folder, children, this::onLine));
    }

    private void onLine(String line) {
        if (line.startsWith("{")) {
            try {
                listener.onCounters(GuestEvent.JSON.readTree(line));
            } catch (JsonProcessingException _) {
                // The process was terminated during the line.
            }
        }
    }

    private static boolean exists(Path socket) throws InterruptedException {
        if (Files.exists(socket)) {
            return true;
        }
        Thread.sleep(POLL);
        return false;
    }

    /// Starts an external server and waits for its socket file. A test connection is not possible,
    /// because the server may accept only one connection.
    private void startExternal(ServerSpec.External external, List<VmSpec> vms, Children children)
            throws InterruptedException {
        for (VmSpec vm : vms) {
            Path socket = folder.socket(vm.name());
            List<String> command = new ArrayList<>();
            for (String word : external.command().strip().split("\\s+")) {
                command.add(word.replace("{socket}", socket.toString()));
            }
            Process process = children.start(command, folder.serverLog(), folder.serverLog());
            processes.add(process);
            ServerStart.await(process, folder, () -> exists(socket));
        }
    }
}
