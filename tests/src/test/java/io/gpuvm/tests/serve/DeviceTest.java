package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.linux.FdSocket;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of `gpuvm device` as a separate process.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class DeviceTest {
    private static final int TERMINATED = 128 + 15;
    private static final int BAD_CONFIGURATION = 2;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("device");

    @Test
    void givenClient_whenTerminated_thenSocketIsRemovedAndSummaryIsWritten() throws Exception {
        Path socket = folder.resolve("gpu.sock");
        Path summary = folder.resolve("summary.json");
        Process device =
                command.start("--listen", socket.toString(), "--summary", summary.toString());
        try (BufferedReader out = device.inputReader()) {
            assertEquals("ready", out.readLine());
            try (FdSocket _ = FdSocket.connect(socket)) {
                device.destroy();
                assertEquals(TERMINATED, device.waitFor());
            }
        }

        assertFalse(Files.exists(socket));
        JsonNode json = new ObjectMapper().readTree(summary.toFile());
        assertEquals(1, json.path("vms").size());
        assertEquals("passthrough", json.at("/vms/0/mode").asText());
        assertEquals("soft", json.at("/gpu/kind").asText());
    }

    @Test
    void givenStatsOption_whenDeviceRuns_thenCountersArePrintedAsLinesOfJson() throws Exception {
        Path socket = folder.resolve("gpu.sock");
        Process device = command.start("--listen", socket.toString(), "--stats", "1");
        try (BufferedReader out = device.inputReader()) {
            assertEquals("ready", out.readLine());
            JsonNode json = new ObjectMapper().readTree(out.readLine());
            assertTrue(json.at("/gpu/counters").isObject(), json::toString);
        }
    }

    @Test
    void givenNoSocket_whenStarted_thenErrorNamesOption() throws Exception {
        Process device = command.start();

        assertEquals(BAD_CONFIGURATION, device.waitFor());
        assertTrue(GpuvmCommand.errorsOf(device).contains("--listen"));
    }

    @Test
    void givenUnknownGpu_whenStarted_thenGpuIsRefused() throws Exception {
        Process device = command.start("--gpu", "hard", "--listen", folder.resolve("s").toString());

        assertEquals(BAD_CONFIGURATION, device.waitFor());
        assertTrue(GpuvmCommand.errorsOf(device).contains("hard"));
    }

    @Test
    void givenUnavailableCard_whenStarted_thenErrorIsOneLine() throws Exception {
        Process device =
                command.start(
                        "--gpu", "vfio:fffe:ff:1f.7", "--listen", folder.resolve("s").toString());

        assertEquals(BAD_CONFIGURATION, device.waitFor());
        String errors = GpuvmCommand.errorsOf(device);
        assertTrue(errors.contains("gpuvm: --gpu: "), errors);
        assertFalse(errors.contains("\tat "), errors);
    }
}
