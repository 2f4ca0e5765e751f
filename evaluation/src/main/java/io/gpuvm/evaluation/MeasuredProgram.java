package io.gpuvm.evaluation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Connection to a program `gpuvm measure`: sends requests and waits for their answers. The
/// program's other output is ignored, except the last line, which messages of failures quote.
///
/// One thread sends requests; another passes the program's lines.
final class MeasuredProgram {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Beginning of a line that is an answer.
    private static final String ANSWER = "{";

    /// Line of the program, or its end.
    ///
    /// @param text line; null at the end
    /// @param end reason for the end; null before
    private record Said(String text, String end) {}

    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    private final Consumer<String> input;
    private final Duration limit;
    private volatile String lastNoise = "";
    private long requests;
    private JsonNode lastAnswer;

    /// @param input sends one line to the program
    /// @param limit deadline for an answer
    MeasuredProgram(Consumer<String> input, Duration limit) {
        this.input = input;
        this.limit = limit;
    }

    /// Passes a line of the program's output. Any thread.
    void accept(String line) {
        if (line.startsWith(ANSWER)) {
            said.add(new Said(line, null));
        } else if (!line.isBlank()) {
            lastNoise = line;
        }
    }

    /// Reports the program's end. Any thread.
    void ended(String reason) {
        said.add(new Said(null, reason));
    }

    /// Waits until the program is ready.
    ///
    /// @return the program's first line
    /// @throws GuestLostException if it ends first, or is not ready in time
    JsonNode awaitReady(Duration startLimit) throws InterruptedException {
        JsonNode greeting = next(startLimit, "is not ready");
        if (!greeting.path("ready").asBoolean()) {
            throw new GuestLostException("first line: " + greeting);
        }
        lastAnswer = greeting;
        return greeting;
    }

    /// Sends a request and waits for its answer.
    ///
    /// @param what value of the key `do`
    /// @param arguments further keys
    /// @throws RefusedRequestException if the answer is an error
    /// @throws GuestLostException if the program ends or does not answer in time
    JsonNode ask(String what, ObjectNode arguments) throws InterruptedException {
        return answer(send(what, arguments));
    }

    /// Sends a request without waiting for its answer.
    ///
    /// @return number of the request
    long send(String what, ObjectNode arguments) {
        long id = ++requests;
        input.accept(arguments.deepCopy().put("id", id).put("do", what).toString());
        return id;
    }

    /// Waits for the answer to a request.
    ///
    /// @param id number of the request
    /// @throws RefusedRequestException if the answer is an error
    /// @throws GuestLostException if the program ends or does not answer in time
    JsonNode answer(long id) throws InterruptedException {
        while (true) {
            JsonNode answer = next(limit, "does not answer request %d".formatted(id));
            if (answer.path("id").asLong() == id) {
                lastAnswer = answer;
                if (answer.has("error")) {
                    throw new RefusedRequestException(answer.path("error").asText());
                }
                return answer;
            }
        }
    }

    /// Sends a request without arguments, as [#ask(String, ObjectNode)].
    JsonNode ask(String what) throws InterruptedException {
        return ask(what, JSON.createObjectNode());
    }

    /// Returns an object for the arguments of a request.
    static ObjectNode arguments() {
        return JSON.createObjectNode();
    }

    /// Returns the last answer, which contains the counters of a native GPU.
    JsonNode lastAnswer() {
        return lastAnswer;
    }

    private JsonNode next(Duration patience, String failure) throws InterruptedException {
        Said next = said.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw lost("the program %s, limit=%d s".formatted(failure, patience.toSeconds()));
        }
        if (next.text() == null) {
            // Further requests fail in the same way.
            said.add(next);
            throw lost(next.end());
        }
        try {
            return JSON.readTree(next.text());
        } catch (JsonProcessingException e) {
            throw lost("the program's line is not JSON: " + e.getOriginalMessage());
        }
    }

    private GuestLostException lost(String reason) {
        return new GuestLostException(
                lastNoise.isEmpty() ? reason : "%s; last line: %s".formatted(reason, lastNoise));
    }
}
