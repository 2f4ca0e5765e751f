package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Link through a relay, whose ends have a virtual clock.
final class VirtualEnds implements AutoCloseable {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);

    /// Number of turns for each step of the clock, so that data in the sockets arrives.
    private static final int TURNS = 4;

    final FaultyRelay relay;
    final Link link;
    final Link peer;

    private final LinkLoop backend;
    private final LinkLoop agent;
    private long nowNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(20);

    VirtualEnds(LinkOptions options) {
        backend = new LinkLoop(options, null, () -> {});
        agent = new LinkLoop(options, null, () -> {});
        List<Link> accepted = new ArrayList<>();
        LinkListener listener =
                LinkListener.listen(
                        backend,
                        LinkAddress.parse("tcp:127.0.0.1:0"),
                        null,
                        null,
                        new LinkHandler() {
                            @Override
                            public Decision decide(String name, byte[] request) {
                                return Decision.accept(request);
                            }

                            @Override
                            public void onLink(Link opened, byte[] request) {
                                accepted.add(opened);
                            }
                        });
        relay = new FaultyRelay(listener.port(), 0);
        relay.setFaulty(false);
        LinkAddress at = LinkAddress.parse("tcp:127.0.0.1:" + relay.port());
        link = LinkDialer.plain(at, "vm0").dial(agent, new byte[0], nowNs);
        passUntil(
                () -> link.state() == LinkState.UP && accepted.getFirst().state() == LinkState.UP);
        peer = accepted.getFirst();
    }

    /// Lets time pass until a condition is true.
    ///
    /// @return passed virtual time in milliseconds
    long passUntil(BooleanSupplier condition) {
        long startNs = nowNs;
        while (!condition.getAsBoolean()) {
            assertTrue(nowNs - startNs < LIMIT_NS, "condition not reached");
            step();
        }
        return TimeUnit.NANOSECONDS.toMillis(nowNs - startNs);
    }

    void pass(Duration time) {
        long startNs = nowNs;
        while (nowNs - startNs < time.toNanos()) {
            step();
        }
    }

    private void step() {
        nowNs += STEP_NS;
        for (int i = 0; i < TURNS; i++) {
            backend.doWork(nowNs);
            relay.work();
            agent.doWork(nowNs);
            relay.work();
        }
    }

    @Override
    public void close() {
        relay.close();
        agent.close();
        backend.close();
    }
}
