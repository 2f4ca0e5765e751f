package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.remote.keys.KeyFolder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that links lose and repeat nothing if connections break at any byte. The runs of several
/// seeds share the test's thread, because each of them mostly waits.
class BreakTest {
    private static final int SEEDS = 10;
    private static final int LONG_SEEDS = 200;
    private static final int CONCURRENT = 10;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    /// A break is found fast, and the largest frames fill the rings.
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT
                    .withRings(1 << 19, 1 << 19)
                    .withHeartbeat(Duration.ofMillis(100), Duration.ofMillis(500))
                    .withConnect(Duration.ofMinutes(1), Duration.ofSeconds(1))
                    .withGrace(Duration.ofMinutes(3));

    @TempDir static Path folder;
    private static Credentials backend;
    private static Credentials agent;

    @BeforeAll
    static void createKeys() {
        KeyFolder keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("localhost", "127.0.0.1"), KeyFolder.LIFETIME);
        agent = Credentials.read(keys.add("vm0", KeyFolder.LIFETIME));
        backend = Credentials.read(folder.resolve("keys/server"));
    }

    @Test
    void givenSeededBreaks_whenBothEndsSend_thenNothingIsLostOrRepeated() {
        int faults = runAll(0, SEEDS, seed -> new Run(false, seed, 40));

        assertTrue(faults >= SEEDS, () -> "breaks=" + faults);
    }

    @Test
    void givenSeededBreaksOfTls_whenBothEndsSend_thenNothingIsLostOrRepeated() {
        int faults = runAll(100, SEEDS, seed -> new Run(true, seed, 40));

        assertTrue(faults >= SEEDS, () -> "breaks=" + faults);
    }

    @Test
    @Tag("long")
    void givenManySeededBreaks_whenBothEndsSend_thenNothingIsLostOrRepeated() {
        int faults = 0;
        for (int first = 0; first < LONG_SEEDS; first += CONCURRENT) {
            faults += runAll(1000 + first, CONCURRENT, seed -> new Run(seed % 4 != 0, seed, 200));
        }
        System.out.printf("seeds=%d breaks=%d%n", LONG_SEEDS, faults);
        assertTrue(faults >= LONG_SEEDS);
    }

    /// @return number of breaks
    private static int runAll(long first, int count, LongFunction<Run> create) {
        List<Run> runs = LongStream.range(first, first + count).mapToObj(create).toList();
        List<Run> left = new ArrayList<>(runs);
        try {
            long startNs = System.nanoTime();
            while (!left.isEmpty()) {
                left.removeIf(Run::work);
                assertTrue(
                        System.nanoTime() - startNs < LIMIT.toNanos(),
                        () -> "not finished: " + left);
            }
            return runs.stream().mapToInt(run -> run.relay.faults()).sum();
        } finally {
            runs.forEach(Run::close);
        }
    }

    /// Link of one seed, whose ends send to each other on both lanes.
    private static final class Run implements AutoCloseable {
        private final long seed;
        private final Ends ends;
        private final FaultyRelay relay;
        private final Link link;
        private final Link peer;
        private final List<Traffic> traffic;
        private boolean closing;

        Run(boolean tls, long seed, int frames) {
            this.seed = seed;
            LinkAddress at = LinkAddress.parse(tls ? "tls:127.0.0.1:0" : "tcp:127.0.0.1:0");
            ends = new Ends(OPTIONS, at, tls ? backend : null);
            relay = new FaultyRelay(ends.listener.port(), seed);
            relay.setFaulty(false);
            ends.step = relay::work;
            link =
                    ends.connect(() ->
                            tls
                                    ? ends.dialTls(relay.port(), agent)
                                    : ends.dialPlain(relay.port(), "vm0"));
            peer = ends.accepted.getLast();
            traffic =
                    List.of(
                            new Traffic(link, peer, Lane.CALLS, frames, 4000, seed),
                            new Traffic(peer, link, Lane.CALLS, frames, 4000, seed + 1),
                            new Traffic(link, peer, Lane.BULK, frames, 40_000, seed + 2),
                            new Traffic(peer, link, Lane.BULK, frames, 40_000, seed + 3));
            relay.setFaulty(true);
            relay.failAll(FaultyRelay.Fault.RESET);
        }

        /// @return whether all frames have arrived, and the link is closed
        boolean work() {
            ends.work();
            if (closing) {
                assertFalse(link.state() == LinkState.LOST, this::toString);
                return peer.state() == LinkState.CLOSED && link.state() == LinkState.CLOSED;
            }
            traffic.forEach(Traffic::work);
            assertFalse(link.state().hasEnded() || peer.state().hasEnded(), this::toString);
            if (traffic.stream().allMatch(Traffic::isDone)) {
                closing = true;
                relay.setFaulty(false);
                link.close();
            }
            return false;
        }

        @Override
        public String toString() {
            return "seed %d: %s %s, breaks=%d".formatted(seed, ends, traffic, relay.faults());
        }

        @Override
        public void close() {
            relay.close();
            ends.close();
        }
    }
}
