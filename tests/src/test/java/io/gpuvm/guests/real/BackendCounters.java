package io.gpuvm.guests.real;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;

/// Counters that a backend with `--stats` reports at intervals. One thread adds them, another one
/// waits for them.
final class BackendCounters {
    /// GPU time after which a program has certainly begun its loop.
    private static final long BEGUN_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final double NS_PER_SECOND = 1e9;

    private final BlockingQueue<JsonNode> arrived = new LinkedBlockingQueue<>();
    private final Duration limit;

    /// @param limit longest wait for a condition
    BackendCounters(Duration limit) {
        this.limit = limit;
    }

    /// Seconds of the GPU that each virtual machine used in an interval.
    ///
    /// @param seconds length of the interval
    /// @param charged as charged by the scheduler
    /// @param device as counted by the GPU
    record Use(double seconds, double[] charged, double[] device) {
        @Override
        public String toString() {
            return "%.1f s, charged %s, by the device %s"
                    .formatted(seconds, text(charged), text(device));
        }

        private static String text(double[] seconds) {
            return Arrays.toString(
                    Arrays.stream(seconds).map(each -> Math.round(each * 1000) / 1000.0).toArray());
        }
    }

    void add(JsonNode summary) {
        arrived.add(summary);
    }

    /// Adds the counters of a line of the backend's output. Other lines have no effect.
    void addLine(String line) {
        if (line.startsWith("{")) {
            try {
                add(GuestEvent.JSON.readTree(line));
            } catch (JsonProcessingException _) {
                // The backend was terminated during the line.
            }
        }
    }

    /// Returns whether a virtual machine's program has begun to compute.
    static boolean isComputing(JsonNode all, int vm) {
        return vm(all, vm).at("/commands/gpuTimeNs").asLong() >= BEGUN_NS;
    }

    /// Returns the number of channels of a virtual machine that wait for their turn.
    static int waiting(JsonNode all, int vm) {
        return vm(all, vm).at("/commands/waiting").asInt();
    }

    private static JsonNode vm(JsonNode all, int vm) {
        return all.path("vms").path(vm);
    }

    /// Waits for counters that meet a condition, and returns them.
    ///
    /// @param what condition, for the message of a timeout
    JsonNode await(Predicate<JsonNode> condition, String what) throws InterruptedException {
        long untilNs = System.nanoTime() + limit.toNanos();
        JsonNode last = MissingNode.getInstance();
        while (!condition.test(last)) {
            JsonNode next = arrived.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError(
                        "timeout before: %s; last counters: %s".formatted(what, last.path("vms")));
            }
            last = next;
        }
        return last;
    }

    /// Waits until the programs of the first virtual machines have computed for a time, and
    /// measures the use of the GPU after that.
    ///
    /// @param warmUp time before the measurement
    /// @param measured length of the measurement
    /// @param vms number of virtual machines
    Use measure(Duration warmUp, Duration measured, int vms, String what)
            throws InterruptedException {
        JsonNode before = await(all -> !all.isMissingNode(), what);
        JsonNode from = await(after(before, warmUp), what);
        JsonNode to = await(after(from, measured), what);
        return new Use(
                (clockNs(to) - clockNs(from)) / NS_PER_SECOND,
                used(from, to, vms, vm -> vm.at("/commands/gpuTimeNs").asLong() / NS_PER_SECOND),
                used(from, to, vms, BackendCounters::deviceSeconds));
    }

    private static Predicate<JsonNode> after(JsonNode before, Duration time) {
        return all -> clockNs(all) - clockNs(before) >= time.toNanos();
    }

    private static long clockNs(JsonNode all) {
        return all.path("clockNs").asLong();
    }

    private static double deviceSeconds(JsonNode vm) {
        return StreamSupport.stream(vm.path("deviceSeconds").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .sum();
    }

    private static double[] used(
            JsonNode from, JsonNode to, int vms, ToDoubleFunction<JsonNode> total) {
        double[] used = new double[vms];
        Arrays.setAll(
                used, vm -> total.applyAsDouble(vm(to, vm)) - total.applyAsDouble(vm(from, vm)));
        return used;
    }
}
