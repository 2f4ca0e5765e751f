package io.gpuvm.guests.hostile.cuda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Backend of two virtual machines of CUDA programs, as a process of this build: one for hostile
/// clients, and one for a neighbour. Confined to one thread, except for [#socket].
final class CudaServer {
    /// Virtual machine of the hostile clients, and of a sibling that they must not disturb.
    static final String HOSTILE = "hostile";

    static final String NEIGHBOUR = "neighbour";

    /// Length of the VRAM of a virtual machine in bytes.
    static final long VRAM_BYTES = 256 << 20;

    /// Exit status of a JVM after a normal shutdown by SIGTERM.
    private static final int TERMINATED = 128 + 15;

    private static final String GPU = "soft,vram=512M";
    private static final String CONTROL = "control";
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunFolder folder;
    private final Children children;
    private Process process;

    private CudaServer(RunFolder folder, Children children) {
        this.folder = folder;
        this.children = children;
    }

    /// Starts a backend. Returns when programs can connect.
    ///
    /// @throws IllegalStateException if the backend does not start; the message contains its log
    static CudaServer start(RunFolder folder, Children children) throws InterruptedException {
        CudaServer server = new CudaServer(folder, children);
        server.start();
        return server;
    }

    /// Starts the backend again, at the same sockets.
    void start() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--gpu", GPU));
        arguments.addAll(List.of("--ctl", folder.socket(CONTROL).toString()));
        for (String vm : List.of(HOSTILE, NEIGHBOUR)) {
            arguments.add("--vm");
            arguments.add("%s,mode=cuda,socket=%s".formatted(vm, socket(vm)));
        }
        process = ServerStart.start(arguments, ServerProcess.DEFAULT, folder, children, _ -> {});
    }

    Path socket(String vm) {
        return folder.socket(vm);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Kills the backend.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /// Ends the backend as its administrator does.
    ///
    /// @return whether it has ended in time, after a normal shutdown
    boolean stop() throws InterruptedException {
        process.destroy();
        return process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                && process.exitValue() == TERMINATED;
    }

    /// Returns the counters of a virtual machine.
    JsonNode counters(String vm) {
        for (JsonNode each : ask("summary").path("summary").path("vms")) {
            if (each.path("name").asText().equals(vm)) {
                return each;
            }
        }
        throw new IllegalStateException("summary without the virtual machine " + vm);
    }

    /// Returns the number of open sessions of a virtual machine.
    long openSessions(String vm) {
        return counters(vm).path("sessions").path("open").asLong();
    }

    private JsonNode ask(String request) {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.socket(CONTROL));
        try (SocketChannel channel = SocketChannel.open(address)) {
            PrintWriter out =
                    new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true);
            out.println(JSON.createObjectNode().put("request", request));
            BufferedReader in =
                    new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            return JSON.readTree(in.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
