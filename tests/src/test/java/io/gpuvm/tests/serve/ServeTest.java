package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.shadow.ShadowCounter;
import java.io.BufferedReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of `gpuvm serve` as a separate process.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class ServeTest {
    private static final int TERMINATED = 128 + 15;
    private static final int BAD_CONFIGURATION = 2;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");

    @Test
    void givenClient_whenTerminated_thenSocketIsRemovedAndSummaryIsWritten() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        Path summary = folder.resolve("summary.json");
        Process serve =
                command.start("--vm", passThrough("vm0", socket), "--summary", summary.toString());
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
        assertTrue(json.at("/vms/0/shadow").isNull());
        assertEquals("none", json.at("/vms/0/mapping/map").asText());
        assertEquals("soft", json.path("gpu").path("kind").asText());
        assertTrue(json.path("gpu").path("undeclared").isArray());
    }

    @Test
    void givenVirtualGpus_whenTerminated_thenSummaryHasCostOfShadowing() throws Exception {
        Path summary = folder.resolve("summary.json");
        Process serve =
                command.start(
                        "--vm",
                        "a,mode=fv,shadow=lazy,vram=100M,socket=" + folder.resolve("a"),
                        "--vm",
                        "b,mode=fv,socket=" + folder.resolve("b"),
                        "--command-limit",
                        "3",
                        "--summary",
                        summary.toString());
        try (BufferedReader out = serve.inputReader()) {
            assertEquals("ready", out.readLine());
            serve.destroy();
            assertEquals(TERMINATED, serve.waitFor());
        }

        JsonNode json = new ObjectMapper().readTree(summary.toFile());
        assertEquals("lazy", json.at("/vms/0/shadow/strategy").asText());
        assertEquals("incremental", json.at("/vms/1/shadow/strategy").asText());
        for (ShadowCounter counter : ShadowCounter.values()) {
            JsonNode count = json.at("/vms/1/shadow/counters/" + counter.key());
            assertTrue(count.isIntegralNumber(), counter::key);
        }
    }

    @Test
    void givenTooMuchVram_whenStarted_thenErrorNamesSumAndLimit() throws Exception {
        Process serve =
                command.start(
                        "--gpu",
                        "soft,vram=512M",
                        "--vm",
                        "a,mode=fv,vram=300M,socket=" + folder.resolve("a"),
                        "--vm",
                        "b,mode=fv,vram=300M,socket=" + folder.resolve("b"));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        String errors = GpuvmCommand.errorsOf(serve);
        assertTrue(errors.contains("is 600 MiB, limit=512 MiB"), errors);
        assertFalse(errors.contains("\tat "), errors);
    }

    @Test
    void givenCommandLimitOutOfRange_whenStarted_thenErrorNamesRange() throws Exception {
        Process serve = command.start("--command-limit", "0", "--vm", passThrough("vm0", folder));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        String errors = GpuvmCommand.errorsOf(serve);
        assertTrue(errors.contains("--command-limit 0, expected 1 to 3600 seconds"), errors);
    }

    @Test
    void givenAbandonedSocket_whenStarted_thenSocketIsReplaced() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        try (ServerSocketChannel abandoned =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            abandoned.bind(UnixDomainSocketAddress.of(socket));
        }
        Process serve = command.start("--vm", passThrough("vm0", socket));
        try (BufferedReader out = serve.inputReader()) {
            assertEquals("ready", out.readLine());
        }
    }

    @Test
    void givenFileAtSocketPath_whenStarted_thenPathIsRefusedAndFileRemains() throws Exception {
        Path file = Files.writeString(folder.resolve("precious"), "data");
        Process serve = command.start("--vm", passThrough("vm0", file));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        assertTrue(
                GpuvmCommand.errorsOf(serve).contains("socket=" + file),
                "the message names the path");
        assertEquals("data", Files.readString(file));
    }

    @Test
    void givenServedSocket_whenSecondBackendStarts_thenSecondBackendIsRefused() throws Exception {
        Path socket = folder.resolve("vm0.sock");
        Process first = command.start("--vm", passThrough("vm0", socket));
        try (BufferedReader out = first.inputReader()) {
            assertEquals("ready", out.readLine());
            Process second = command.start("--vm", passThrough("vm0", socket));

            assertEquals(BAD_CONFIGURATION, second.waitFor());
            assertTrue(first.isAlive());
            assertTrue(Files.exists(socket));
        }
    }

    @Test
    void givenUnknownKey_whenStarted_thenErrorNamesKnownKeys() throws Exception {
        Process serve = command.start("--gpu", "soft,vrma=1G", "--vm", passThrough("vm0", folder));

        assertEquals(BAD_CONFIGURATION, serve.waitFor());
        String errors = GpuvmCommand.errorsOf(serve);
        assertTrue(errors.contains("vrma") && errors.contains("copy-engines"), errors);
    }

    private static String passThrough(String name, Path socket) {
        return "%s,mode=passthrough,socket=%s".formatted(name, socket);
    }
}
