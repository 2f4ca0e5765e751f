package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Answer of a program in a guest. Its figures are checked, so that a faulty or hostile guest adds
/// no impossible samples. Immutable.
///
/// @param json the answer
record ProgramAnswer(JsonNode json) {
    /// Largest valid duration, longer than the deadline of any answer.
    private static final long MOST_NS = TimeUnit.HOURS.toNanos(1);

    /// Largest valid amount of work, far above the amount of any workload, so that no sum
    /// overflows.
    private static final long MOST_WORK = 1L << 53;

    private static final int UNIT_LIMIT = 64;

    /// Returns the duration of the request's timed part, in nanoseconds. It may be 0 in a guest
    /// with a coarse clock.
    ///
    /// @throws GuestLostException if the answer has no such duration
    long ns() {
        return ns("ns");
    }

    /// Returns a duration, in nanoseconds.
    ///
    /// @throws GuestLostException if the answer has no such duration
    long ns(String key) {
        return number(json.path(key), key, 0, MOST_NS);
    }

    /// Returns the duration of a whole run, in nanoseconds, at least 1.
    ///
    /// @throws GuestLostException if the answer has no such duration
    long positiveNs() {
        return number(json.path("ns"), "ns", 1, MOST_NS);
    }

    /// Returns the object with the given key; its figures are absent if the answer lacks the key.
    ProgramAnswer part(String key) {
        return new ProgramAnswer(json.path(key));
    }

    /// Returns the durations of repeated operations, each at least 1 ns.
    ///
    /// @param count number of operations
    /// @throws GuestLostException if the answer does not have exactly this number of valid
    ///   durations
    List<Long> times(int count) {
        JsonNode times = json.path("timesNs");
        if (times.size() != count) {
            throw new GuestLostException(
                    "answer: timesNs entries=%d, expected=%d".formatted(times.size(), count));
        }
        List<Long> all = new ArrayList<>();
        for (JsonNode each : times) {
            all.add(number(each, "timesNs", 1, MOST_NS));
        }
        return List.copyOf(all);
    }

    /// Returns the work of the run; null if the answer has none.
    ///
    /// @throws GuestLostException if an amount is absent or impossible
    WorkAmount work() {
        if (!json.has("work")) {
            return null;
        }
        ProgramAnswer work = part("work");
        return new WorkAmount(
                work.amount("bytesIn"),
                work.amount("bytesOut"),
                work.amount("launches"),
                work.amount("operations"),
                work.unit());
    }

    private long amount(String key) {
        return number(json.path(key), key, 0, MOST_WORK);
    }

    private String unit() {
        String unit = json.path("unit").asText();
        if (unit.length() > UNIT_LIMIT) {
            throw new GuestLostException(
                    "answer: unit characters=%d, limit=%d".formatted(unit.length(), UNIT_LIMIT));
        }
        return unit;
    }

    private static long number(JsonNode value, String key, long least, long most) {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.asLong() < least
                || value.asLong() > most) {
            throw new GuestLostException(
                    "answer: %s=%s, expected %d to %d"
                            .formatted(
                                    key,
                                    value.isMissingNode() ? "absent" : Excerpt.of(value.toString()),
                                    least,
                                    most));
        }
        return value.asLong();
    }
}
