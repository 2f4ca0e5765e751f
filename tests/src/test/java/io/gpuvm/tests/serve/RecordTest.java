package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.trap.client.VfioUserClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the flight recorder, in separate processes.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class RecordTest {
    private static final int TERMINATED = 128 + 15;
    private static final int BAD_CONFIGURATION = 2;

    /// Classes that only a recording needs. Counters use Agrona's buffers, too.
    private static final List<String> RECORDERS =
            List.of(
                    "net.openhft.",
                    "org.agrona.concurrent.ringbuffer.",
                    "Tapped",
                    "io.gpuvm.record.Recorder");

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand serve = new GpuvmCommand("serve");
    @RegisterExtension private final GpuvmCommand replay = new GpuvmCommand("replay");
    @RegisterExtension private final GpuvmCommand stats = new GpuvmCommand("record-stats");

    @Test
    void givenRecording_whenCounted_thenCountsEqualClientAccesses() throws Exception {
        Path recording = folder.resolve("recording");
        serveOne("--record", recording.toString(), "--record-level", "commands");

        Process counting = stats.start("--json", recording.toString());
        JsonNode json;
        try (BufferedReader out = counting.inputReader()) {
            json = new ObjectMapper().readTree(out.readLine());
        }
        assertEquals(0, counting.waitFor());
        assertTrue(json.path("complete").asBoolean());
        assertEquals("COMMANDS", json.path("level").asText());
        assertEquals(1, json.at("/vms/0/connections").asInt());
        assertEquals(3, json.at("/vms/0/regions/BAR0/reads").asInt());
        assertEquals(0, json.at("/vms/0/commands/completed").asInt(-1));
    }

    @Test
    void givenNoRecording_whenClientIsServed_thenNoClassOfRecorderIsLoaded() throws Exception {
        Path classes = folder.resolve("classes");

        serve.jvmOption("-Xlog:class+load:file=" + classes);
        serveOne();

        List<String> loaded = Files.readAllLines(classes);
        assertTrue(loaded.stream().anyMatch(line -> line.contains("vfiouser.RegionTable")));
        assertEquals(
                List.of(),
                loaded.stream()
                        .filter(line -> RECORDERS.stream().anyMatch(line::contains))
                        .toList());
    }

    @Test
    void givenRecording_whenReplayed_thenRecordedMessagesAreSent() throws Exception {
        Path recording = folder.resolve("recording");
        serveOne("--record", recording.toString());

        Process process = serve.start("--vm", vm());
        try (BufferedReader out = process.inputReader()) {
            assertEquals("ready", out.readLine());
            Process replaying =
                    replay.start("--json", "--socket", socket().toString(), recording.toString());
            try (BufferedReader result = replaying.inputReader()) {
                JsonNode json = new ObjectMapper().readTree(result.readLine());
                assertEquals(3, json.path("messages").asInt());
                assertEquals(64, json.at("/endState/vramSha256").asText().length());
                assertEquals(0, json.at("/endState/pagesInUse").asInt(-1));
            }
            assertEquals(0, replaying.waitFor());
        }
    }

    @Test
    void givenNoServer_whenReplayed_thenErrorNamesSocket() throws Exception {
        Path recording = folder.resolve("recording");
        serveOne("--record", recording.toString());

        Process process = replay.start("--socket", socket().toString(), recording.toString());

        assertEquals(BAD_CONFIGURATION, process.waitFor());
        String errors = GpuvmCommand.errorsOf(process);
        assertTrue(errors.contains(socket().toString()), errors);
    }

    @Test
    void givenNonEmptyFolder_whenStarted_thenFolderIsRefused() throws Exception {
        Files.writeString(folder.resolve("precious"), "data");

        Process process = serve.start("--record", folder.toString(), "--vm", vm());

        assertEquals(BAD_CONFIGURATION, process.waitFor());
        String errors = GpuvmCommand.errorsOf(process);
        assertTrue(errors.contains("--record: " + folder + " is not empty"), errors);
    }

    @Test
    void givenFolderWithoutRecording_whenCounted_thenFolderIsRefused() throws Exception {
        Process process = stats.start(folder.toString());

        assertEquals(BAD_CONFIGURATION, process.waitFor());
        String errors = GpuvmCommand.errorsOf(process);
        assertTrue(errors.contains("is not a recording"), errors);
    }

    /// Serves one client, which reads a register three times.
    private void serveOne(String... options) throws IOException, InterruptedException {
        String[] arguments = new String[options.length + 2];
        System.arraycopy(options, 0, arguments, 0, options.length);
        arguments[options.length] = "--vm";
        arguments[options.length + 1] = vm();
        Process process = serve.start(arguments);
        try (BufferedReader out = process.inputReader()) {
            assertEquals("ready", out.readLine());
            try (VfioUserClient client = new VfioUserClient(socket()).negotiate()) {
                for (int i = 0; i < 3; i++) {
                    client.read(0, Pmc.BOOT_0.offset(), Integer.BYTES);
                }
            }
            process.destroy();
            assertEquals(TERMINATED, process.waitFor());
        }
    }

    private String vm() {
        return "vm0,mode=fv,map=none,vram=64M,socket=" + socket();
    }

    private Path socket() {
        return folder.resolve("vm0.sock");
    }
}
