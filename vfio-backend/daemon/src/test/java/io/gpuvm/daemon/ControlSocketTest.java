package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.CountersView;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ControlSocketTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_LINE = 4096;

    @TempDir Path folder;

    private Path socket;
    private Backend backend;

    @BeforeEach
    void start() {
        socket = folder.resolve("ctl");
        backend = Backend.start(config(), () -> {});
    }

    @AfterEach
    void stop() {
        if (backend != null) {
            backend.close();
        }
    }

    @Test
    void givenBackend_whenStatusIsRequested_thenEveryVirtualMachineIsListed() throws IOException {
        JsonNode status = ask("{\"request\":\"status\"}");

        assertTrue(status.get("ok").asBoolean());
        assertEquals("fair,wait=500us,idle=20,patience=20000us", status.get("policy").asText());
        assertEquals(
                JSON.readTree(
                        """
                        {"name": "vm0", "mode": "pv", "socket": "%s", "weight": 4, "cap": 50,
                         "gpuSeconds": {"graph": 0.0, "copy0": 0.0, "copy1": 0.0},
                         "commands": 0, "waiting": 0, "waitP50Us": 0.0, "waitP99Us": 0.0}\
                        """
                                .formatted(folder.resolve("vm0"))),
                JSON.readTree(status.at("/vms/0").toString()));
        assertEquals("vm1", status.at("/vms/1/name").asText());
        assertTrue(status.at("/vms/1/cap").isNull());
    }

    @Test
    void givenVmWithoutRunningCommand_whenKillIsRequested_thenAnswerCountsNone()
            throws IOException {
        assertEquals(0, ask("{\"request\":\"kill\",\"vm\":\"vm0\"}").get("stopped").asInt());
        JsonNode refused = ask("{\"request\":\"kill\",\"vm\":\"vm9\"}");
        assertFalse(refused.get("ok").asBoolean());
        assertEquals("vm=vm9, expected one of vm0, vm1", refused.get("error").asText());
    }

    @Test
    void givenFixedLevels_whenLevelIsRequested_thenReasonIsAnswered() throws IOException {
        JsonNode refused = ask("{\"request\":\"log\",\"level\":\"debug\"}");
        assertEquals("the levels of this process's logs are fixed", refused.get("error").asText());
        assertEquals(
                "level is missing, or not a string",
                ask("{\"request\":\"log\"}").get("error").asText());
    }

    @Test
    void givenRunFolder_whenOtherProcessReads_thenCountersFollowChanges() throws IOException {
        backend.close();
        backend = Backend.start(config().withRunFolder(folder), () -> {});
        ask("{\"request\":\"weight\",\"vm\":\"vm0\",\"weight\":9}");

        BackendSnapshot read = CountersView.open(folder.resolve(CountersFile.NAME)).read();

        assertEquals(socket.toAbsolutePath(), read.control());
        assertEquals("vm0", read.vms().getFirst().name());
        assertEquals(9, read.vms().getFirst().values().get(CounterType.WEIGHT));
        assertEquals(50, read.vms().getFirst().values().get(CounterType.CAP_PERCENT));
        ConfigException second =
                assertThrows(
                        ConfigException.class,
                        () ->
                                Backend.start(
                                        config("second")
                                                .with(
                                                        BackendConfig.DEFAULT_POLICY,
                                                        folder.resolve("ctl2"))
                                                .withRunFolder(folder),
                                        () -> {}));
        assertTrue(second.getMessage().startsWith("--run-dir: "), second.getMessage());
        backend.close();
        backend = null;
        assertEquals(
                BackendSnapshot.State.STOPPED,
                CountersView.open(folder.resolve(CountersFile.NAME)).read().state());
    }

    @Test
    void givenTwoBackendsWithSocketsInOneFolder_whenStarted_thenEachHasItsOwnCounters()
            throws IOException {
        backend.close();
        Path first = CountersFile.folderOf(socket);
        backend = Backend.start(config().withRunFolder(first), () -> {});
        Path other = folder.resolve("ctl2");
        Path second = CountersFile.folderOf(other);
        BackendConfig config =
                config("second").with(BackendConfig.DEFAULT_POLICY, other).withRunFolder(second);
        try (Backend _ = Backend.start(config, () -> {})) {
            assertEquals(
                    "vm0",
                    CountersView.open(first.resolve(CountersFile.NAME))
                            .read()
                            .vms()
                            .getFirst()
                            .name());
            assertEquals(
                    "second0",
                    CountersView.open(second.resolve(CountersFile.NAME))
                            .read()
                            .vms()
                            .getFirst()
                            .name());
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(second)));
        }
    }

    @Test
    void givenBackend_whenSummaryIsRequested_thenAnswerContainsCounters() throws IOException {
        JsonNode answer = ask("{\"request\":\"summary\"}");

        assertTrue(answer.get("ok").asBoolean());
        assertEquals("vm1", answer.at("/summary/vms/1/name").asText());
        assertEquals(0, answer.at("/summary/vms/0/pv/commands").asLong(-1));
        assertEquals(0, answer.at("/summary/gpu/counters/COMPUTE_LAUNCHES").asLong(-1));
        assertTrue(answer.at("/summary/gpu/counters/GRAPH_NANOSECONDS").isNumber());
    }

    @Test
    void givenPassThrough_whenSummaryAndStatusAreRequested_thenSummaryIsAnswered()
            throws IOException {
        backend.close();
        backend =
                Backend.start(
                        new BackendConfig(
                                        GpuSpec.parse("soft,vram=256M"),
                                        List.of(
                                                VmConfig.parse(
                                                        "vm0,mode=passthrough,socket="
                                                                + folder.resolve("vm0"))),
                                        IdleMode.BLOCK,
                                        BackendConfig.DEFAULT_COMMAND_LIMIT)
                                .with(BackendConfig.DEFAULT_POLICY, socket),
                        () -> {});

        JsonNode summary = ask("{\"request\":\"summary\"}");
        JsonNode status = ask("{\"request\":\"status\"}");

        assertEquals(0, summary.at("/summary/vms/0/traps/BAR0/reads").asLong(-1));
        assertEquals(
                "request=status, expected one of summary, log with mode=passthrough",
                status.path("error").asText());
    }

    @Test
    void givenBackend_whenSharesAndPolicyAreChanged_thenStatusShowsNewValues() throws IOException {
        assertOk("{\"request\":\"weight\",\"vm\":\"vm1\",\"weight\":7}");
        assertOk("{\"request\":\"cap\",\"vm\":\"vm1\",\"cap\":25}");
        assertOk("{\"request\":\"cap\",\"vm\":\"vm0\",\"cap\":null}");
        assertOk("{\"request\":\"policy\",\"policy\":\"band,wait=300us\"}");

        JsonNode status = ask("{\"request\":\"status\"}");

        assertEquals(
                "band,period=30000us,window=1000000us,wait=300us", status.get("policy").asText());
        assertEquals(7, status.at("/vms/1/weight").asInt());
        assertEquals(25, status.at("/vms/1/cap").asInt());
        assertEquals(4, status.at("/vms/0/weight").asInt());
        assertTrue(status.at("/vms/0/cap").isNull());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"request\":\"dance\"}                     | request=dance, expected one of",
                "{}                                          | request=, expected one of",
                "null                                        | request=, expected one of",
                "[1,2                                        | not a line of JSON",
                "{\"request\":\"weight\",\"vm\":\"x\",\"weight\":1} | vm=x, expected one of vm0,"
                        + " vm1",
                "{\"request\":\"weight\",\"weight\":1}       | vm is missing, or not a string",
                "{\"request\":\"weight\",\"vm\":\"vm0\",\"weight\":0} | weight=0, expected 1 to 10000",
                "{\"request\":\"weight\",\"vm\":\"vm0\",\"weight\":\"a\"} | weight=a, expected a whole",
                "{\"request\":\"weight\",\"vm\":\"vm0\",\"weight\":1e99} | expected a whole number",
                "{\"request\":\"cap\",\"vm\":\"vm0\",\"cap\":101} | cap=101, expected 1 to 100",
                "{\"request\":\"cap\",\"vm\":\"vm0\"}        | cap=, expected a whole number",
                "{\"request\":\"policy\",\"policy\":\"luck\"} | policy=luck, expected one of fifo",
                "{\"request\":\"policy\",\"policy\":\"fifo,a=1\"} | parameter=a, expected none",
                "{\"request\":\"policy\"}                    | policy is missing, or not a string",
                "{\"request\":\"set\",\"vm\":\"vm0\"}        | set: expected weight, cap, or both",
                "{\"request\":\"set\",\"vm\":\"vm0\",\"weight\":2,\"cap\":0} | cap=0, expected 1 to 100",
                "{\"request\":\"show\",\"vm\":\"x\"}         | vm=x, expected one of vm0, vm1",
                "{\"request\":\"reload\"}                    | serve --config FILE",
            })
    void givenInvalidRequest_whenSent_thenAnswerNamesReason(String request, String reason)
            throws IOException {
        JsonNode answer = ask(request);

        assertFalse(answer.get("ok").asBoolean());
        assertTrue(answer.get("error").asText().contains(reason), answer::toString);
    }

    @Test
    void givenBackend_whenWeightAndCapAreSetTogether_thenBothChangeOrNone() throws IOException {
        assertOk("{\"request\":\"set\",\"vm\":\"vm1\",\"weight\":7,\"cap\":25}");
        assertFalse(
                ask("{\"request\":\"set\",\"vm\":\"vm1\",\"weight\":8,\"cap\":0}")
                        .get("ok")
                        .asBoolean());

        JsonNode vm = ask("{\"request\":\"show\",\"vm\":\"vm1\"}");
        assertEquals(7, vm.at("/vm/weight").asInt());
        assertEquals(25, vm.at("/vm/cap").asInt());
        assertEquals("pv", vm.at("/settings/mode").asText());
        assertEquals("vm1", vm.at("/counters/name").asText());
    }

    @Test
    void givenBackend_whenHealthIsRequested_thenOwnerHasAnswered() throws IOException {
        JsonNode health = ask("{\"request\":\"health\"}");

        assertTrue(health.get("healthy").asBoolean());
        assertEquals(2, health.get("vms").asInt());
        assertEquals(0, health.get("problems").size());
        assertTrue(health.get("uptimeSeconds").isIntegralNumber());
    }

    @Test
    void givenClient_whenManyLinesAreSentTogether_thenLinesAreAnsweredInOrder() throws IOException {
        try (SocketChannel client = connect();
                Scanner answers = new Scanner(Channels.newReader(client, StandardCharsets.UTF_8))) {
            send(client, "{\"request\":\"status\"}\n{}\n{\"request\":\"status\"}\n");

            assertTrue(JSON.readTree(answers.nextLine()).get("ok").asBoolean());
            assertFalse(JSON.readTree(answers.nextLine()).get("ok").asBoolean());
            assertTrue(JSON.readTree(answers.nextLine()).get("ok").asBoolean());
        }
    }

    @Test
    void givenEndlessLine_whenLimitIsExceeded_thenClientIsRefusedAndDropped() throws IOException {
        try (SocketChannel client = connect();
                Scanner answers = new Scanner(Channels.newReader(client, StandardCharsets.UTF_8))) {
            send(client, "x".repeat(LONGEST_LINE));

            assertTrue(answers.nextLine().contains("limit=" + LONGEST_LINE));
            assertFalse(answers.hasNextLine());
        }
    }

    @Test
    void givenBrokenClients_whenOtherClientSendsRequest_thenRequestIsAnswered() throws IOException {
        List<SocketChannel> broken = new ArrayList<>();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 5; i++) {
            SocketChannel client = connect();
            broken.add(client);
            byte[] noise = new byte[1 + random.nextInt(1000)];
            random.nextBytes(noise);
            client.write(ByteBuffer.wrap(noise));
        }
        send(connect(), "{\"request\":").close();
        connect().close();
        for (int i = 0; i < 200; i++) {
            send(broken.getFirst(), "{\"request\":\"status\"}\n");
        }

        assertTrue(ask("{\"request\":\"status\"}").get("ok").asBoolean(), "seed=" + seed);
        for (SocketChannel client : broken) {
            client.close();
        }
    }

    @Test
    void givenBackend_whenClosed_thenSocketWithOwnerOnlyAccessIsRemoved() throws IOException {
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));

        backend.close();
        backend = null;

        assertFalse(Files.exists(socket));
    }

    @Test
    void givenStaleSocket_whenBackendStarts_thenSocketIsReplaced() throws IOException {
        backend.close();
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertTrue(Files.exists(socket));

        backend = Backend.start(config(), () -> {});

        assertTrue(ask("{\"request\":\"status\"}").get("ok").asBoolean());
    }

    @Test
    void givenSocketInUse_whenBackendStarts_thenStartFailsAndCreatedSocketsAreRemoved()
            throws IOException {
        BackendConfig second = config("second");

        ConfigException e =
                assertThrows(ConfigException.class, () -> Backend.start(second, () -> {}));

        assertTrue(e.getMessage().startsWith("--ctl " + socket), e::getMessage);
        assertFalse(Files.exists(folder.resolve("second0")));
        assertTrue(ask("{\"request\":\"status\"}").get("ok").asBoolean());
    }

    private BackendConfig config() {
        return config("vm");
    }

    private BackendConfig config(String names) {
        return new BackendConfig(
                        GpuSpec.parse("soft,vram=256M"),
                        List.of(vm(names + 0, ",weight=4,cap=50"), vm(names + 1, "")),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT)
                .with(BackendConfig.DEFAULT_POLICY, socket);
    }

    private VmConfig vm(String name, String more) {
        return VmConfig.parse("%s,mode=pv,socket=%s%s".formatted(name, folder.resolve(name), more));
    }

    private void assertOk(String request) throws IOException {
        assertEquals("{\"ok\":true}", ask(request).toString());
    }

    private JsonNode ask(String request) throws IOException {
        try (SocketChannel client = connect();
                Scanner answers = new Scanner(Channels.newReader(client, StandardCharsets.UTF_8))) {
            send(client, request + "\n");
            return JSON.readTree(answers.nextLine());
        }
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    private static SocketChannel send(SocketChannel client, String text) throws IOException {
        client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        return client;
    }
}
