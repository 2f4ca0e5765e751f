package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.pv.remote.PvTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the view of a backend from outside: metrics with Debian's Prometheus, `gpuvm top` on a
/// terminal of Debian's tmux, and the counters of a backend that has been killed.
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("commands")
class MonitoringTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path RULES =
            Path.of(System.getProperty("gpuvm.root"), "operations/prometheus");
    private static final Path PROGRAMS = GuestFiles.locate().cache().resolve("monitoring/bin");
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long PAUSE_MS = 200;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand serve = new GpuvmCommand("serve");
    @RegisterExtension private final GpuvmCommand run = new GpuvmCommand("run");
    @RegisterExtension private final GpuvmCommand top = new GpuvmCommand("top");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Process> others = new ArrayList<>();
    private Process backend;
    private String metrics;

    @AfterEach
    void end() throws IOException, InterruptedException {
        if (Files.exists(terminalSocket())) {
            output(program("tmux"), "-S", terminalSocket().toString(), "kill-server");
        }
        for (Process each : others) {
            each.destroyForcibly().waitFor();
        }
        client.close();
    }

    @Test
    void givenBackendWithPrograms_whenWatched_thenTopAndMetricsShowThem() throws Exception {
        startBackend();
        Process loop = startLoop();

        JsonNode busy =
                await(
                        () -> JSON.readTree(top("--once", "--json", "--interval=0.5")).get(0),
                        frame -> frame.at("/vms/0/state").asText().equals("running"));
        assertEquals("SERVING", busy.get("state").asText());
        assertEquals(backend.pid(), busy.get("pid").asLong());
        assertEquals(0.75, busy.at("/vms/0/entitlement").asDouble());
        assertTrue(busy.at("/vms/0/share").asDouble() > 0, busy::toString);
        assertEquals("a", busy.at("/engines/0/holder").asText());
        assertEquals("no guest", busy.at("/vms/1/state").asText());
        assertTrue(scrape().contains("gpuvm_vm_weight{vm=\"a\"} 3.0"), this::scrapeQuietly);

        killFromTerminal(loop);
        assertTrue(scrape().contains("gpuvm_vm_kills_total{vm=\"a\"} 1.0"), this::scrapeQuietly);

        backend.destroyForcibly().waitFor();
        String last = top("--once", "--columns=100");
        assertTrue(last.contains("DEAD: ended without a shutdown"), last);
        assertTrue(last.contains("pid " + backend.pid()), last);
        assertTrue(last.lines().anyMatch(line -> line.startsWith("a ")), last);
    }

    /// Stops the running command with the keys of `gpuvm top`, on terminals of two widths.
    private void killFromTerminal(Process loop) throws Exception {
        if (!Files.isExecutable(program("tmux"))) {
            System.err.println(
                    "tmux is not set up (tests/monitoring/setup): no terminal is tested");
            ctl("kill", "a");
            assertEquals(1, loop.waitFor());
            return;
        }
        for (int columns : new int[] {80, 200}) {
            openTerminal(columns);
            String screen =
                    await(
                            () -> screenOf(columns),
                            text ->
                                    text.contains("a ")
                                            && text.contains("running")
                                            && text.contains("\ngraph  █"));
            assertTrue(screen.lines().allMatch(line -> line.length() <= columns), screen);
            assertTrue(screen.startsWith("gpuvm top  backends 1  sort share"), screen);
            String titles = columns == 80 ? "VM          SHARE/ENT" : "VM                   MODE";
            assertTrue(screen.lines().anyMatch(line -> line.startsWith(titles)), screen);
            assertTrue(screen.strip().lines().toList().getLast().startsWith("q quit"), screen);
        }
        press(80, "K");
        await(() -> screenOf(80), text -> text.contains("stop the running commands of a, with"));
        press(80, "y");
        await(() -> screenOf(80), text -> text.contains("stopped commands of a: 1"));
        assertEquals(1, loop.waitFor(), () -> "" + loop);
        press(80, "w");
        press(80, "5");
        press(80, "Enter");
        press(80, "y");
        await(() -> screenOf(80), text -> text.contains("the weight of a is 5"));
        press(80, "q");
        await(() -> sessions(), names -> !names.contains("s80"));
    }

    @Test
    void givenPrometheus_whenItScrapesBackend_thenQueriesAndRulesAnswer() throws Exception {
        requireProgram("prometheus");
        startBackend();
        Process program = run("mmul", "--size=64");
        assertEquals(0, program.waitFor(), GpuvmCommand.errorsOf(program));

        Process check = start(List.of(program("promtool").toString(), "check", "metrics"));
        check.getOutputStream().write(scrape().getBytes(StandardCharsets.UTF_8));
        check.getOutputStream().close();
        assertEquals("", new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, check.waitFor());

        String api = startPrometheus();
        assertEquals("1", await(() -> query(api, "up{job=\"gpuvm\"}"), "1"::equals));
        assertEquals("3", query(api, "gpuvm_vm_weight{vm=\"a\"}"));
        String quantile =
                "histogram_quantile(0.99, sum by (le) (gpuvm_vm_command_wait_seconds_bucket{vm=\"a\"}))";
        assertTrue(Double.parseDouble(query(api, quantile)) > 0);
        assertTrue(Double.parseDouble(query(api, "sum(gpuvm_vm_gpu_seconds_total{vm=\"a\"})")) > 0);
        assertTrue(Double.parseDouble(query(api, "sum(jvm_memory_used_bytes)")) > 0);
        JsonNode rules = get(api + "rules");
        JsonNode group = rules.at("/data/groups/0/rules");
        assertEquals(5, group.size(), rules::toString);
        await(
                () -> get(api + "rules").at("/data/groups/0/rules"),
                all -> {
                    boolean evaluated = true;
                    for (JsonNode rule : all) {
                        evaluated &= rule.get("health").asText().equals("ok");
                    }
                    return evaluated;
                });
    }

    @Test
    void givenAlertRules_whenCheckedByPromtool_thenTheyAreCorrectAndTheirTestsPass()
            throws Exception {
        requireProgram("promtool");
        Path tool = program("promtool");
        String checked =
                output(tool, "check", "rules", RULES.resolve("gpuvm.rules.yml").toString());
        assertTrue(checked.contains("SUCCESS: 5 rules found"), checked);
        String tested =
                output(tool, "test", "rules", RULES.resolve("gpuvm.rules.test.yml").toString());
        assertTrue(tested.contains("SUCCESS"), tested);
    }

    @Test
    void givenFolderWithoutCounters_whenTopStarts_thenErrorNamesFile() throws Exception {
        Process failed = top.start("--once", folder.toString());
        String errors = GpuvmCommand.errorsOf(failed);
        assertEquals(1, failed.waitFor());
        assertTrue(errors.contains(folder.resolve("counters.dat").toString()), errors);
    }

    private void startBackend() throws IOException {
        backend =
                serve.start(
                        "--gpu=soft,vram=512M",
                        "--ctl=" + folder.resolve("ctl"),
                        "--vm=a,mode=pv,vram=128M,weight=3",
                        "--vm=b,mode=pv,vram=128M",
                        "--command-limit=600",
                        "--metrics=0",
                        "--log-format=json");
        BufferedReader log = backend.errorReader();
        Pattern address = Pattern.compile("metrics: (http://127\\.0\\.0\\.1:[0-9]+/metrics)");
        while (metrics == null) {
            String line = log.readLine();
            String message = JSON.readTree(line).path("formattedMessage").asText();
            Matcher found = address.matcher(message);
            metrics = found.find() ? found.group(1) : null;
        }
        assertEquals("ready", backend.inputReader().readLine());
    }

    /// Starts a program whose only command does not end.
    private Process startLoop() throws IOException {
        return run("loop", "--size=100000000");
    }

    private Process run(String... words) throws IOException {
        run.environment(PvTransport.SOCKET_VARIABLE, folder.resolve("a.sock").toString());
        return run.start(words);
    }

    private String top(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(words));
        all.add(folder.toString());
        Process process = top.start(all.toArray(String[]::new));
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> text);
        return text;
    }

    private void ctl(String... words) throws IOException, InterruptedException {
        Path tool =
                Path.of(System.getProperty("gpuvm.root"), "vfio-backend/cli/target/bin/gpuvm-ctl");
        List<String> all = new ArrayList<>(List.of(folder.resolve("ctl").toString()));
        all.addAll(List.of(words));
        output(tool, all.toArray(String[]::new));
    }

    private String scrape() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(metrics)).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private String scrapeQuietly() {
        try {
            return scrape();
        } catch (IOException | InterruptedException e) {
            return e.toString();
        }
    }

    /// @return start of the addresses of its interface
    private String startPrometheus() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path config = folder.resolve("prometheus.yml");
        URI target = URI.create(metrics);
        Files.writeString(
                config,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                  - job_name: gpuvm
                    static_configs: [{targets: ['%s:%d']}]
                """
                        .formatted(
                                RULES.resolve("gpuvm.rules.yml"),
                                target.getHost(),
                                target.getPort()));
        start(
                List.of(
                        program("prometheus").toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port));
        return "http://127.0.0.1:%d/api/v1/".formatted(port);
    }

    /// Returns the value of the first sample; empty if there is none, or if Prometheus has not
    /// started.
    private String query(String api, String expression) throws InterruptedException {
        String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        try {
            return get(api + "query?query=" + encoded).at("/data/result/0/value/1").asText();
        } catch (IOException e) {
            return "";
        }
    }

    private JsonNode get(String uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
        return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    private void openTerminal(int columns) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "-u",
                                "-S",
                                terminalSocket().toString(),
                                "-f",
                                "/dev/null",
                                "new-session",
                                "-d",
                                "-s",
                                "s" + columns,
                                "-x",
                                "" + columns,
                                "-y",
                                "24"));
        words.addAll(top.words(folder.toString(), "--interval=0.5"));
        output(program("tmux"), words.toArray(String[]::new));
    }

    private String screenOf(int columns) throws IOException, InterruptedException {
        return tmux("capture-pane", "-p", "-t", "s" + columns);
    }

    private void press(int columns, String key) throws IOException, InterruptedException {
        tmux("send-keys", "-t", "s" + columns, key);
    }

    private String sessions() throws IOException, InterruptedException {
        return tmux("list-sessions");
    }

    private String tmux(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-u", "-S", terminalSocket().toString()));
        all.addAll(List.of(words));
        return output(program("tmux"), all.toArray(String[]::new));
    }

    private Path terminalSocket() {
        return folder.resolve("tmux");
    }

    private static Path program(String name) {
        return PROGRAMS.resolve(name);
    }

    private static void requireProgram(String name) {
        assumeTrue(
                Files.isExecutable(program(name)),
                name + " is not set up: run tests/monitoring/setup");
    }

    private String output(Path program, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        Process process = start(command);
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + ": " + text);
        others.remove(process);
        return text;
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        if (command.getFirst().endsWith("prometheus")) {
            builder.redirectOutput(folder.resolve("prometheus.log").toFile());
        }
        Process process = builder.start();
        others.add(process);
        return process;
    }

    /// Repeats a reading until it has a property.
    private static <T> T await(Callable<T> reading, Predicate<T> isReached) throws Exception {
        long start = System.nanoTime();
        T value = reading.call();
        while (!isReached.test(value)) {
            T last = value;
            assertTrue(System.nanoTime() - start < LIMIT_NS, () -> "last reading:\n" + last);
            Thread.sleep(PAUSE_MS);
            value = reading.call();
        }
        return value;
    }
}
