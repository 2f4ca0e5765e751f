package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.VmConfig;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the client of control sockets, `gpuvm ctl`.
@Timeout(120)
class ControlClientTest {
    private static final Path PROGRAM = Path.of("target/bin/gpuvm-ctl").toAbsolutePath();

    @TempDir Path folder;

    private String out;
    private String err;

    @BeforeEach
    void requireProgram() {
        assumeTrue(Files.isExecutable(PROGRAM), "no C compiler when gpuvm was built");
    }

    @Test
    void givenBackend_whenStateIsRequested_thenTableAndJsonArePrinted() throws Exception {
        try (Backend _ = backend()) {
            assertEquals(0, run(control(), "status"), err);
            List<String> lines = out.lines().toList();
            assertEquals("policy: fair,wait=500us,idle=20,patience=20000us", lines.getFirst());
            assertTrue(lines.get(1).startsWith("vm               mode weight   cap    graph s"));
            assertTrue(lines.get(2).startsWith("a                pv        4    50      0.000"));
            assertTrue(lines.get(3).startsWith("b                cuda      1  none      0.000"));
            assertEquals(4, lines.size());

            assertEquals(0, run(control(), "status", "--json"), err);
            JsonNode status = new ObjectMapper().readTree(out);
            assertEquals(4, status.at("/vms/0/weight").asInt());

            assertEquals(0, run(control(), "summary"), err);
            JsonNode summary = new ObjectMapper().readTree(out);
            assertEquals("b", summary.at("/vms/1/name").asText());
            assertEquals(summary.toPrettyString() + "\n", out);
        }
    }

    @Test
    void givenBackend_whenListedAndShown_thenSettingsAndHealthArePrinted() throws Exception {
        try (Backend _ = backend()) {
            assertEquals(0, run(control(), "list"), err);
            assertEquals(2, out.lines().count());
            assertTrue(out.lines().toList().getFirst().matches("a +pv +/.*/a.sock"), out);

            assertEquals(0, run(control(), "show", "a"), err);
            assertTrue(out.startsWith("vm {\n  \"name\" : \"a\""), out);
            assertTrue(out.contains("\nsettings {\n  \"mode\" : \"pv\""), out);
            assertTrue(out.contains("\ncounters {"), out);

            assertEquals(0, run(control(), "health"), err);
            assertTrue(out.matches("healthy, up \\d+ s, virtual machines: 2\n"), out);

            assertEquals(0, run(control(), "set", "b", "weight=3", "cap=none"), err);
            assertEquals(0, run(control(), "show", "b", "--json"), err);
            assertEquals(3, new ObjectMapper().readTree(out).at("/vm/weight").asInt());

            assertEquals(2, run(control(), "reload"));
            assertTrue(err.contains("serve --config FILE"), err);
        }
    }

    @Test
    void givenBackend_whenSharesChange_thenStatusShowsNewValues() throws Exception {
        try (Backend _ = backend()) {
            assertEquals(0, run(control(), "weight", "b", "7"), err);
            assertEquals(0, run(control(), "cap", "b", "25"), err);
            assertEquals(0, run(control(), "cap", "a", "none"), err);
            assertEquals(0, run(control(), "policy", "fifo"), err);
            assertEquals("", out);
            assertEquals(0, run(control(), "status"), err);
            assertTrue(out.contains("policy: fifo\n"), out);
            assertTrue(out.contains("b                cuda      7    25 "), out);
            assertTrue(out.contains("a                pv        4  none "), out);

            assertEquals(2, run(control(), "weight", "x", "1"));
            assertEquals("gpuvm: vm=x, expected one of a, b\n", err);
            assertEquals(2, run(control(), "weight", "x", "1", "--json"));
            assertFalse(new ObjectMapper().readTree(out).get("ok").asBoolean());
        }
    }

    @Test
    void givenSocketInEnvironment_whenVmAttachesAndDetaches_thenSocketIsPrinted() throws Exception {
        try (Backend _ = backend()) {
            Map<String, String> environment = Map.of("GPUVM_CTL", control());
            assertEquals(0, run(environment, "attach", "c,mode=pv,vram=64M"), err);
            assertEquals(folder.resolve("c.sock") + "\n", out);
            assertTrue(Files.exists(folder.resolve("c.sock")));
            assertEquals(0, run(environment, "attach", "c,mode=pv,vram=64M"), err);
            assertEquals(0, run(environment, "attach", "d,mode=pv,vram=64M,socket=own"), err);
            assertEquals(folder.resolve("own") + "\n", out);
            assertEquals(2, run(environment, "attach", "c,mode=pv,vram=65M"));
            assertEquals("gpuvm: --vm c: vram=65M, attached with vram=64M\n", err);
            assertEquals(0, run(environment, "detach", "c", "--json"), err);
            assertEquals("{\"ok\":true,\"changed\":true}\n", out);
            assertEquals(0, run(environment, "detach", "c"), err);
            assertFalse(Files.exists(folder.resolve("c.sock")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                 | Missing required parameters: 'SOCKET', 'REQUEST'",
                "/s                 | Missing required parameter: 'REQUEST'",
                "status             | SOCKET is missing, and GPUVM_CTL is not set",
                "/s dance           | ctl dance: expected one of list, show, health, status, summary,"
                        + " policy, weight, cap, set, kill, log, attach, detach, reload",
                "/s set a           | ctl set: arguments=1, expected VM weight=N, cap=PCT",
                "/s set a size=3    | ctl set: size=3, expected weight=N or cap=PCT",
                "/s status x        | ctl status: arguments=1, expected no arguments",
                "/s policy          | ctl policy: arguments=0, expected POLICY",
                "/s weight a        | ctl weight: arguments=1, expected VM N",
                "/s weight a b      | ctl weight: b, expected a number",
                "/s cap a 1e3       | ctl cap: 1e3, expected a number",
                "/s attach a,b      | ctl attach a,b: 'b', expected KEY=VALUE",
                "/s detach          | ctl detach: arguments=0, expected VM",
                "/s --color status  | Unknown option: '--color'",
            })
    void givenWrongArguments_whenRun_thenMessageNamesReason(String line, String message)
            throws Exception {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ");
        assertEquals(2, run(words));
        assertTrue(err.startsWith("gpuvm: " + message), err);
        assertEquals("", out);
    }

    @Test
    void givenNoBackend_whenRun_thenExitStatusIsOne() throws Exception {
        assertEquals(1, run(control(), "status"));
        assertEquals(
                "gpuvm: %s: cannot connect: No such file or directory\n".formatted(control()), err);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ok\":true,\"policy\":\"a\",\"vms\":[  | 1",
                "{\"ok\":true                           | 1",
                "hello world                            | 1",
                "[1,2]                                  | 2",
                "{}                                     | 2",
                "{\"ok\":true}                          | 0",
                "{\"ok\":true,\"vms\":[{},{\"name\":\"\\u0041\\\"\"}]} | 0",
                "{\"ok\":false,\"error\":\"\\u\"}       | 2",
            })
    void givenStrangeAnswer_whenReceived_thenClientReportsItAndEnds(String answer, int status)
            throws Exception {
        Path socket = folder.resolve("strange");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread thread = Thread.ofPlatform().start(() -> answer(server, answer + "\n"));
            assertEquals(status, run(socket.toString(), "status"), err);
            thread.join();
        }
    }

    private static void answer(ServerSocketChannel server, String text) {
        try (SocketChannel client = server.accept()) {
            client.read(ByteBuffer.allocate(4096));
            client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String control() {
        return folder.resolve("ctl").toString();
    }

    private Backend backend() {
        return Backend.start(
                new BackendConfig(
                                GpuSpec.parse("soft,vram=512M"),
                                List.of(
                                        vm("a,mode=pv,vram=64M,weight=4,cap=50"),
                                        vm("b,mode=cuda,vram=64M")),
                                IdleMode.BLOCK,
                                BackendConfig.DEFAULT_COMMAND_LIMIT)
                        .with(BackendConfig.DEFAULT_POLICY, Path.of(control())),
                () -> {});
    }

    private VmConfig vm(String text) {
        return VmConfig.parse(text, folder);
    }

    /// @return exit status
    private int run(String... words) throws IOException, InterruptedException {
        return run(Map.of(), words);
    }

    private int run(Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(List.of(words));
        Path errors = folder.resolve("errors");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile());
        builder.environment().remove("GPUVM_CTL");
        builder.environment().putAll(environment);
        Process process = builder.start();
        out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        err = Files.readString(errors);
        return status;
    }
}
