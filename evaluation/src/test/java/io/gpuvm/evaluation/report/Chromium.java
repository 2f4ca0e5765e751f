package io.gpuvm.evaluation.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Headless Chromium, controlled through the DevTools protocol. One thread.
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long DEADLINE_S = 60;
    private static final long POLL_MS = 50;
    private static final String CACHED = "gpuvm/guest/browser/chromium";

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
    private final List<JsonNode> events = new ArrayList<>();
    private WebSocket socket;
    private String session;
    private int calls;

    private Chromium(Process process) {
        this.process = process;
    }

    /// Returns the program that `tests/browser/setup` has installed; empty if none is installed.
    static Optional<Path> program() {
        String guests = System.getenv("GPUVM_GUEST_CACHE");
        String caches = System.getenv("XDG_CACHE_HOME");
        Path program =
                guests != null
                        ? Path.of(guests, "browser/chromium")
                        : caches != null
                                ? Path.of(caches, CACHED)
                                : Path.of(System.getProperty("user.home"), ".cache", CACHED);
        return Files.isExecutable(program) ? Optional.of(program) : Optional.empty();
    }

    /// Starts the browser with an empty page.
    ///
    /// @param folder folder for its profile and output
    static Chromium start(Path program, Path folder) throws Exception {
        Path profile = folder.resolve("profile");
        Chromium chromium =
                new Chromium(
                        new ProcessBuilder(
                                        program.toString(),
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--remote-debugging-port=0",
                                        "--user-data-dir=" + profile,
                                        "about:blank")
                                .redirectErrorStream(true)
                                .redirectOutput(folder.resolve("chromium.log").toFile())
                                .start());
        try {
            chromium.connect(profile.resolve("DevToolsActivePort"));
        } catch (Exception e) {
            chromium.close();
            throw e;
        }
        return chromium;
    }

    private void connect(Path portFile) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!Files.exists(portFile) || Files.readAllLines(portFile).size() < 2) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new IOException("Chromium does not listen, alive=" + process.isAlive());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        List<String> lines = Files.readAllLines(portFile);
        URI address = URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
        socket =
                client.newWebSocketBuilder()
                        .buildAsync(address, new Receiver())
                        .get(DEADLINE_S, TimeUnit.SECONDS);
        ObjectNode target = JSON.createObjectNode().put("url", "about:blank");
        String id = call("Target.createTarget", target).path("targetId").asText();
        ObjectNode attach = JSON.createObjectNode().put("targetId", id).put("flatten", true);
        session = call("Target.attachToTarget", attach).path("sessionId").asText();
        for (String domain : List.of("Page", "Network", "Runtime", "Log")) {
            call(domain + ".enable", JSON.createObjectNode());
        }
    }

    /// Emulates a screen.
    void screen(int width, int height, String scheme) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
        ObjectNode media = JSON.createObjectNode();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", scheme);
        call("Emulation.setEmulatedMedia", media);
    }

    /// Opens a page and returns the events that occur until the page has loaded.
    List<JsonNode> open(URI page) throws Exception {
        events.clear();
        call("Page.navigate", JSON.createObjectNode().put("url", page.toString()));
        while (events.stream().noneMatch(each -> isEvent(each, "Page.loadEventFired"))) {
            take();
        }
        return List.copyOf(events);
    }

    /// Returns the value of an expression on the page.
    JsonNode evaluate(String expression) throws Exception {
        JsonNode answer =
                call(
                        "Runtime.evaluate",
                        JSON.createObjectNode()
                                .put("expression", expression)
                                .put("returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(answer.path("exceptionDetails").toString());
        }
        return answer.path("result").path("value");
    }

    static boolean isEvent(JsonNode message, String method) {
        return message.path("method").asText().equals(method);
    }

    private JsonNode call(String method, ObjectNode parameters) throws Exception {
        int id = ++calls;
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        if (session != null) {
            message.put("sessionId", session);
        }
        socket.sendText(message.toString(), true).get(DEADLINE_S, TimeUnit.SECONDS);
        JsonNode answer = take();
        while (answer.path("id").asInt() != id) {
            answer = take();
        }
        if (answer.has("error")) {
            throw new IOException(method + ": " + answer.path("error"));
        }
        return answer.path("result");
    }

    private JsonNode take() throws Exception {
        JsonNode message = messages.poll(DEADLINE_S, TimeUnit.SECONDS);
        if (message == null) {
            throw new IOException("no message from Chromium: seconds=" + DEADLINE_S);
        }
        if (message.has("method")) {
            events.add(message);
        }
        return message;
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.abort();
        }
        client.shutdownNow();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().orTimeout(DEADLINE_S, TimeUnit.SECONDS).join());
    }

    /// Receiver that assembles messages from their frames. Threads of the HTTP client.
    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
            text.append(data);
            if (isLast) {
                try {
                    messages.add(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}
