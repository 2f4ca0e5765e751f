package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Both ends of links on the test's thread: a listener with its loop, and a loop for dialled links.
final class Ends implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final long PAUSE_NS = 20_000;

    final LinkLoop backend;
    final LinkLoop agent;
    final LinkListener listener;

    /// Links that the listener has accepted, in their order.
    final List<Link> accepted = new ArrayList<>();

    private final List<Link> dialled = new ArrayList<>();

    /// Requests of these links.
    final List<byte[]> requests = new ArrayList<>();

    /// Names with which peers have asked for links.
    final List<String> names = new ArrayList<>();

    /// Users of virtual machines, by name.
    final Map<String, Integer> users = new HashMap<>();

    /// Decision on the next requests.
    LinkHandler.Decision decision = LinkHandler.Decision.accept(new byte[] {42});

    private final TlsTasks tasks;

    /// Additional work of each step.
    Runnable step = () -> {};

    Ends(LinkOptions options, LinkAddress address, Credentials credentials) {
        this(options, options, address, credentials);
    }

    Ends(
            LinkOptions backendOptions,
            LinkOptions agentOptions,
            LinkAddress address,
            Credentials credentials) {
        this(backendOptions, agentOptions, address, credentials, null);
    }

    Ends(
            LinkOptions backendOptions,
            LinkOptions agentOptions,
            LinkAddress address,
            Credentials credentials,
            ClusterSeal seal) {
        tasks = credentials == null ? null : TlsTasks.start();
        backend = new LinkLoop(backendOptions, tasks, () -> {});
        agent = new LinkLoop(agentOptions, tasks, () -> {});
        listener =
                LinkListener.listen(
                        backend,
                        address,
                        credentials,
                        seal,
                        new LinkHandler() {
                            @Override
                            public int userOf(String name) {
                                return users.getOrDefault(name, NO_USER);
                            }

                            @Override
                            public Decision decide(String name, byte[] request) {
                                names.add(name);
                                return decision;
                            }

                            @Override
                            public void onLink(Link link, byte[] request) {
                                accepted.add(link);
                                requests.add(request);
                            }
                        });
    }

    static Ends plain(LinkOptions options) {
        return new Ends(options, LinkAddress.parse("tcp:127.0.0.1:0"), null);
    }

    Link dialPlain(String name, byte... request) {
        return dialPlain(listener.port(), name, request);
    }

    Link dialPlain(int port, String name, byte... request) {
        return LinkDialer.plain(LinkAddress.parse("tcp:127.0.0.1:" + port), name)
                .dial(agent, request, System.nanoTime());
    }

    Link dialTls(int port, Credentials credentials, byte... request) {
        return LinkDialer.withTls(LinkAddress.parse("tls:127.0.0.1:" + port), credentials)
                .dial(agent, request, System.nanoTime());
    }

    /// Dials, and waits until both ends are up.
    Link connect(Supplier<Link> dial) {
        int before = accepted.size();
        Link link = dial.get();
        dialled.add(link);
        await(() ->
                link.state() == LinkState.UP
                        && accepted.size() > before
                        && accepted.getLast().state() == LinkState.UP);
        return link;
    }

    void work() {
        int work = backend.doWork(System.nanoTime()) + agent.doWork(System.nanoTime());
        step.run();
        if (work == 0) {
            // The thread for handshakes has a lower priority.
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /// Returns a text about all links.
    @Override
    public String toString() {
        return Stream.concat(accepted.stream(), dialled.stream())
                .map(link -> "%s %s %s".formatted(link.peerName(), link.state(), link.reason()))
                .toList()
                .toString();
    }

    void await(BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            work();
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                fail("condition not reached within " + LIMIT + ", links: " + this);
            }
        }
    }

    void workFor(Duration time) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < time.toNanos()) {
            work();
        }
    }

    @Override
    public void close() {
        agent.close();
        backend.close();
        if (tasks != null) {
            tasks.close();
        }
    }
}
