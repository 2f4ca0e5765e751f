package io.gpuvm.bench.cuda;

import io.gpuvm.bench.pv.RingGuest;
import io.gpuvm.workloads.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Costs of single calls, in rounds that also measure the round trip of the rings.
final class CallCosts {
    private static final int CALLS = 20_000;

    /// Number of launches of a burst, fewer than the entries of the ring, so that no launch waits
    /// for the backend.
    private static final int BURST = 128;

    private static final int BURSTS = 50;
    private static final double REPLY_LIMIT = 2.5;
    private static final double ENQUEUE_LIMIT_NS = 200;

    /// Costs in one round, each in nanoseconds for one call.
    private record Round(
            double ringNs, double replyNs, double idleNs, double localNs, double enqueueNs) {}

    private final List<Round> rounds;

    private CallCosts(List<Round> rounds) {
        this.rounds = rounds;
    }

    /// Measures the calls.
    ///
    /// @param ring paravirtual guest of the same backend
    /// @param client process that calls
    static CallCosts measure(RingGuest ring, ClientInC client, Rounds wanted) {
        return new CallCosts(wanted.measure(_ -> round(ring, client)));
    }

    private static Round round(RingGuest ring, ClientInC client) {
        return new Round(
                ring.roundTrips(CALLS).nsEach(),
                each(client, "reply", CALLS),
                each(client, "idle", CALLS),
                each(client, "local", CALLS),
                enqueue(client));
    }

    private static double enqueue(ClientInC client) {
        double[] bursts = new double[BURSTS];
        for (int i = 0; i < BURSTS; i++) {
            bursts[i] = each(client, "enqueue", BURST);
        }
        return Spread.of(bursts).median();
    }

    private static double each(ClientInC client, String call, int count) {
        return Double.parseDouble(client.ask("%s %d".formatted(call, count))) / count;
    }

    /// Returns the costs, and their limits.
    List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        goals.add(
                new Goal(
                        "reply/ring",
                        "cuMemGetInfo, relative to a round trip through the rings",
                        spread(round -> round.replyNs / round.ringNs),
                        REPLY_LIMIT));
        goals.add(
                new Goal(
                        "enqueue",
                        "ns of cuLaunchKernel with four parameters, without a wait",
                        spread(Round::enqueueNs),
                        ENQUEUE_LIMIT_NS));
        goals.add(figure("ring", "ns of a round trip through the rings", Round::ringNs));
        goals.add(figure("reply", "ns of cuMemGetInfo", Round::replyNs));
        goals.add(figure("idle", "ns of cuCtxSynchronize without pending work", Round::idleNs));
        goals.add(figure("local", "ns of cuDeviceGetAttribute", Round::localNs));
        return goals;
    }

    private Goal figure(String name, String meaning, ToDoubleFunction<Round> figure) {
        return new Goal(name, meaning, spread(figure), Double.POSITIVE_INFINITY);
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }
}
