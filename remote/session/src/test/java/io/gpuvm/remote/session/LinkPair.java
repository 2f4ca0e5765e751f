package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkDialer;
import io.gpuvm.remote.link.LinkHandler;
import io.gpuvm.remote.link.LinkListener;
import io.gpuvm.remote.link.LinkLoop;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.LinkState;

/// Both ends of a link over TCP, on the test's thread.
final class LinkPair implements AutoCloseable {
    private static final int RING_BYTES = 512 << 10;
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT.withRings(RING_BYTES, RING_BYTES);

    private final LinkLoop gatewayLoop = new LinkLoop(OPTIONS, null, () -> {});
    private final LinkLoop agentLoop = new LinkLoop(OPTIONS, null, () -> {});
    private Link gateway;
    private final Link agent;

    LinkPair() {
        LinkListener listener =
                LinkListener.listen(
                        gatewayLoop,
                        LinkAddress.parse("tcp:127.0.0.1:0"),
                        null,
                        null,
                        new LinkHandler() {
                            @Override
                            public Decision decide(String name, byte[] request) {
                                return Decision.accept(new byte[0]);
                            }

                            @Override
                            public void onLink(Link link, byte[] request) {
                                gateway = link;
                            }
                        });
        LinkDialer dialer =
                LinkDialer.plain(LinkAddress.parse("tcp:127.0.0.1:" + listener.port()), "a");
        agent = dialer.dial(agentLoop, new byte[0], System.nanoTime());
        while (agent.state() == LinkState.CONNECTING
                || gateway == null
                || gateway.state() == LinkState.CONNECTING) {
            work();
        }
        assertEquals(LinkState.UP, agent.state(), agent::reason);
        assertEquals(LinkState.UP, gateway.state(), gateway::reason);
    }

    Link gateway() {
        return gateway;
    }

    Link agent() {
        return agent;
    }

    void work() {
        gatewayLoop.doWork(System.nanoTime());
        agentLoop.doWork(System.nanoTime());
    }

    @Override
    public void close() {
        agentLoop.close();
        gatewayLoop.close();
    }
}
