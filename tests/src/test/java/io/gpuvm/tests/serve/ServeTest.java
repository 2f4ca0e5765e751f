package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.linux.FdSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `gpuvm serve` as its own process.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ServeTest {
    private static final int TERMINATED = 128 + 15;
    private static final int BAD_CONFIGURATION = 2;

    @TempDir private Path folder;
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void givenAClient_whenTerminated_thenTheSocketIsGoneAndTheSummaryIsWritten() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        Path summary = folder.resolve("summary.json");
        Process serve = start("--vm", passThrough("vm0", socket), "--summary", summary.toString());
        try (BufferedReader out = serve.inputReader()) {
            assertEquals("ready", out.readLine());
            try (FdSocket _ = FdSocket.connect(socket)) {
                serve.destroy();
                assertEquals(TERMINATED, serve.waitFor());
            }
        }

        assertFalse(Files.exists(socket));
        JsonNode json = new ObjectMapper().readTree(summary.toFile());
        assertEquals("vm0", json.path("vms").path(0).path("name").asText());
        assertEquals("soft", json.path("gpu").path("kind").asText());
        assertTrue(json.path("gpu").path("undeclared").isArray());
    }

    @Test
    void givenAnAbandonedSocket_whenStarted_thenItIsReplaced() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        try (ServerSocketChannel abandoned =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            abandoned.bind(UnixDomainSocketAddress.of(socket));
        }
        Process serve = start("--vm", passThrough("vm0", socket));
        try (BufferedReader out = serve.inputReader()) {
            assertEquals("ready", out.readLine());
        }
    }

    @Test
    void givenAFileAtTheSocketsPath_whenStarted_thenItIsRefusedAndTheFileStays() throws Exception {
        Path file = Files.writeString(folder.resolve("precious"), "data");
        Process serve = start("--vm", passThrough("vm0", file));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        assertTrue(errorsOf(serve).contains("socket=" + file), "the message names the path");
        assertEquals("data", Files.readString(file));
    }

    @Test
    void givenASocketThatIsServed_whenASecondBackendStarts_thenItIsRefused() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        Process first = start("--vm", passThrough("vm0", socket));
        try (BufferedReader out = first.inputReader()) {
            assertEquals("ready", out.readLine());
            Process second = start("--vm", passThrough("vm0", socket));

            assertEquals(BAD_CONFIGURATION, second.waitFor());
            assertTrue(first.isAlive());
            assertTrue(Files.exists(socket));
        }
    }

    @Test
    void givenAnUnknownKey_whenStarted_thenTheKnownOnesAreNamed() throws Exception {
        Process serve = start("--gpu", "soft,vrma=1G", "--vm", passThrough("vm0", folder));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        String errors = errorsOf(serve);
        assertTrue(errors.contains("vrma") && errors.contains("copy-engines"), errors);
    }

    private static String passThrough(String name, Path socket) {
        return "%s,mode=passthrough,socket=%s".formatted(name, socket);
    }

    private static String errorsOf(Process process) throws IOException {
        try (BufferedReader errors = process.errorReader()) {
            return String.join("\n", errors.readAllLines());
        }
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.gpuvm.cli.Main", "serve"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).start();
        processes.add(process);
        return process;
    }
}
