package io.gpuvm.evaluation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Connection to a program that answers requests, `gpuvm measure` or the workloads in C: sends
/// requests and waits for their answers. The program's other output is ignored, except the last
/// line, which failure messages quote.
///
/// The program may be in a hostile guest: the number and the length of its answers are limited, and
/// no output extends the deadline of an answer.
///
/// One thread sends requests; another passes the program's lines.
final class MeasuredProgram {
    /// Maximum number of characters in an answer.
    static final int ANSWER_LIMIT = 1 << 16;

    /// Maximum number of answers that have arrived and have not yet been read. Answers that arrive
    /// after their deadline are read with the next request.
    static final int UNREAD_LIMIT = 64;

    private static final ObjectMapper JSON = new ObjectMapper();

    /// Beginning of a line that is an answer.
    private static final String ANSWER = "{";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Consumer<String> input;
    private final Duration limit;

    /// Answers that have not yet been read. Guarded by the lock.
    private final Queue<String> answers = new ArrayDeque<>();

    /// Reason why no further answer arrives; null while answers arrive. Guarded by the lock.
    private String end;

    private volatile String lastOtherLine = "";
    private long requests;
    private JsonNode lastAnswer;

    /// @param input sends one line to the program
    /// @param limit deadline for an answer
    MeasuredProgram(Consumer<String> input, Duration limit) {
        this.input = input;
        this.limit = limit;
    }

    /// Receives a line of the program's output. Any thread.
    void accept(String line) {
        if (!line.startsWith(ANSWER)) {
            if (!line.isBlank()) {
                lastOtherLine = Excerpt.of(line);
            }
            return;
        }
        lock.lock();
        try {
            if (line.length() > ANSWER_LIMIT) {
                ended("answer: characters=%d, limit=%d".formatted(line.length(), ANSWER_LIMIT));
            } else if (answers.size() == UNREAD_LIMIT) {
                ended("unread answers=%d, limit=%d".formatted(UNREAD_LIMIT + 1, UNREAD_LIMIT));
            } else {
                answers.add(line);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Reports the program's end. Only the first reason counts. Any thread.
    void ended(String reason) {
        lock.lock();
        try {
            if (end == null) {
                end = reason;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the program is ready.
    ///
    /// @return the program's first answer
    /// @throws GuestLostException if the program ends first, or is not ready in time
    ProgramAnswer awaitReady(Duration startLimit) throws InterruptedException {
        Wait wait = new Wait(startLimit, "is not ready");
        JsonNode greeting = wait.next();
        if (!greeting.path("ready").asBoolean()) {
            throw new GuestLostException(
                    "first answer: %s, expected ready=true".formatted(greeting));
        }
        lastAnswer = greeting;
        return new ProgramAnswer(greeting);
    }

    /// Sends a request and waits for its answer.
    ///
    /// @param what value of the key `do`
    /// @param arguments further keys
    /// @throws RefusedRequestException if the answer is an error
    /// @throws GuestLostException if the program ends or does not answer in time
    ProgramAnswer ask(String what, ObjectNode arguments) throws InterruptedException {
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
    ProgramAnswer answer(long id) throws InterruptedException {
        Wait wait = new Wait(limit, "does not answer request %d".formatted(id));
        JsonNode answer = wait.next();
        while (answer.path("id").asLong() != id) {
            wait.requireTime();
            answer = wait.next();
        }
        lastAnswer = answer;
        if (answer.has("error")) {
            throw new RefusedRequestException(answer.path("error").asText());
        }
        return new ProgramAnswer(answer);
    }

    /// Sends a request without arguments and waits for its answer; see [#ask(String, ObjectNode)].
    ProgramAnswer ask(String what) throws InterruptedException {
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

    /// Waiting period for an answer, from the creation of this object until a deadline.
    private final class Wait {
        private final Duration duration;
        private final String failure;
        private final long startNs = System.nanoTime();

        /// @param failure predicate of the message if the deadline passes, for instance `is not
        ///   ready`
        Wait(Duration duration, String failure) {
            this.duration = duration;
            this.failure = failure;
        }

        /// Returns the next answer. An answer that has arrived is returned even after the deadline.
        JsonNode next() throws InterruptedException {
            try {
                return JSON.readTree(nextLine());
            } catch (JsonProcessingException e) {
                throw lost("the answer is not JSON: " + e.getOriginalMessage());
            }
        }

        private String nextLine() throws InterruptedException {
            lock.lock();
            try {
                while (answers.isEmpty()) {
                    if (end != null) {
                        throw lost(end);
                    }
                    requireTime();
                    changed.awaitNanos(leftNs());
                }
                return answers.remove();
            } finally {
                lock.unlock();
            }
        }

        private long leftNs() {
            return duration.toNanos() - (System.nanoTime() - startNs);
        }

        /// @throws GuestLostException if the deadline has passed
        void requireTime() {
            if (leftNs() <= 0) {
                throw lost("the program %s, limit=%d s".formatted(failure, duration.toSeconds()));
            }
        }
    }

    private GuestLostException lost(String reason) {
        return new GuestLostException(
                lastOtherLine.isEmpty()
                        ? reason
                        : "%s; last line: %s".formatted(reason, lastOtherLine));
    }
}
