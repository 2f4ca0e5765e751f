package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Reload of a running backend's configuration.
@Timeout(60)
class ConfigReloadTest {
    @TempDir private Path folder;

    private Backend backend;

    /// Configuration that the next reload reads.
    private BackendConfig current;

    @BeforeEach
    void start() {
        current = config("fair", "a,weight=2", "b");
        backend = Backend.start(current, () -> {}, LogLevels.FIXED, () -> current);
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private BackendConfig config(String policy, String... vms) {
        return new BackendConfig(
                        GpuSpec.parse("soft,vram=512M"),
                        Stream.of(vms).map(this::vm).toList(),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT)
                .with(PolicyOption.parse("policy", policy), folder.resolve("ctl"));
    }

    private VmConfig vm(String text) {
        String mode = text.contains("mode=") ? "" : ",mode=pv";
        return VmConfig.parse(text + mode + ",vram=64M", folder);
    }

    private List<String> reload() throws InterruptedException {
        try {
            return backend.reload().get();
        } catch (ExecutionException e) {
            throw assertInstanceOf(ConfigException.class, e.getCause());
        }
    }

    private JsonNode ask(String request) throws IOException {
        try (SocketChannel client =
                        SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("ctl")));
                Scanner answers = new Scanner(Channels.newReader(client, StandardCharsets.UTF_8))) {
            client.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            return new ObjectMapper().readTree(answers.nextLine());
        }
    }

    private List<String> names() throws IOException {
        return ask("{\"request\":\"status\"}").get("vms").findValuesAsText("name");
    }

    @Test
    void givenSameConfiguration_whenReloaded_thenNothingChanges() throws Exception {
        assertEquals(List.of(), reload());
        assertEquals("{\"ok\":true,\"changes\":[]}", ask("{\"request\":\"reload\"}").toString());
    }

    @Test
    void givenChanges_whenReloaded_thenTheyAndNothingElseAreApplied() throws Exception {
        assertTrue(
                ask("{\"request\":\"attach\",\"vm\":\"x\",\"mode\":\"pv\",\"vram\":\"64M\"}")
                        .get("ok")
                        .asBoolean());
        assertTrue(ask("{\"request\":\"weight\",\"vm\":\"a\",\"weight\":9}").get("ok").asBoolean());
        current = config("fifo", "a,weight=2,cap=50", "c");

        List<String> changes = reload();

        assertEquals(List.of("b: detached", "policy=fifo", "a: cap=50", "c: attached"), changes);
        assertEquals(List.of("a", "x", "c"), names());
        JsonNode status = ask("{\"request\":\"status\"}");
        assertEquals("fifo", status.get("policy").asText());
        // The request's weight stays: both versions of the configuration have the same weight.
        assertEquals(9, status.at("/vms/0/weight").asInt());
        assertEquals(50, status.at("/vms/0/cap").asInt());
        assertFalse(Files.exists(folder.resolve("b.sock")));
        assertTrue(Files.exists(folder.resolve("c.sock")));
    }

    @Test
    void givenFixedSettingThatDiffers_whenReloaded_thenNothingChanges() throws Exception {
        current = config("fifo", "a,weight=2,sessions=3", "c");

        ConfigException error = assertThrows(ConfigException.class, this::reload);

        assertTrue(error.getMessage().startsWith("--vm a: only weight and cap"), error::getMessage);
        assertEquals(List.of("a", "b"), names());
        assertTrue(ask("{\"request\":\"status\"}").get("policy").asText().startsWith("fair"));
    }

    @Test
    void givenVirtualMachineThatIsFixed_whenAdded_thenReasonIsNamed() throws Exception {
        current = config("fair", "a,weight=2", "b", "f,mode=fv");

        ConfigException error = assertThrows(ConfigException.class, this::reload);

        assertTrue(error.getMessage().contains("mode=fv is fixed"), error::getMessage);
        assertEquals(List.of("a", "b"), names());
    }

    @Test
    void givenTooLittleVram_whenReloaded_thenNextReloadTriesAgain() throws Exception {
        assertTrue(
                ask("{\"request\":\"attach\",\"vm\":\"x\",\"mode\":\"pv\",\"vram\":\"256M\"}")
                        .get("ok")
                        .asBoolean());
        current = config("fifo", "a,weight=2", "b", "c", "d", "e");

        assertThrows(ConfigException.class, this::reload);
        assertTrue(ask("{\"request\":\"detach\",\"vm\":\"x\"}").get("ok").asBoolean());
        List<String> changes = reload();

        assertTrue(changes.getLast().equals("e: attached"), changes::toString);
        assertEquals(List.of("a", "b", "c", "d", "e"), names());
    }

    @Test
    void givenBackendWithoutFile_whenReloaded_thenReasonIsNamed() throws Exception {
        backend.close();
        backend = Backend.start(current, () -> {});

        ConfigException error = assertThrows(ConfigException.class, this::reload);

        assertTrue(error.getMessage().contains("serve --config FILE"), error::getMessage);
        assertTrue(
                ask("{\"request\":\"reload\"}")
                        .get("error")
                        .asText()
                        .contains("serve --config FILE"));
    }
}
