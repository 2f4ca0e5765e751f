package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkDialer;
import io.gpuvm.remote.link.LinkFrame;
import io.gpuvm.remote.link.LinkHandler;
import io.gpuvm.remote.link.LinkLoop;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.LinkState;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests that one peer's session does not end those of others.
@Timeout(60)
class GatewayTest {
    private static final int RING_BYTES = 512 << 10;
    private static final int STEPS = 40;
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT.withRings(RING_BYTES, RING_BYTES);
    private static final byte[] REQUEST =
            SessionRequest.of(new Hello(RingProtocol.CUDA, AreaHeader.VERSION, 0));

    private static Gateway gateway(Function<String, Path> sockets) {
        VirtualMachines vms =
                new VirtualMachines() {
                    @Override
                    public Path socketOf(String name) {
                        return sockets.apply(name);
                    }

                    @Override
                    public int userOf(String name) {
                        return LinkHandler.NO_USER;
                    }
                };
        return new Gateway(LinkAddress.parse("tcp:127.0.0.1:0"), null, null, vms, OPTIONS, null);
    }

    private static Link dial(Gateway gateway, LinkLoop loop, String vm) {
        LinkAddress address = LinkAddress.parse("tcp:127.0.0.1:" + gateway.port());
        return LinkDialer.plain(address, vm).dial(loop, REQUEST, System.nanoTime());
    }

    private static void work(Gateway gateway, LinkLoop loop) {
        loop.doWork(System.nanoTime());
        gateway.doWork();
    }

    private static void requireRefusal(Gateway gateway, LinkLoop loop, Link link) {
        while (!link.state().hasEnded()) {
            work(gateway, loop);
        }
        assertEquals(LinkState.CLOSED, link.state(), link::reason);
        LinkFrame frame = link.peek(Lane.CALLS);
        assertEquals(SessionFrame.REFUSAL, frame.type());
        String reason = StandardCharsets.UTF_8.decode(frame.payload().asByteBuffer()).toString();
        assertEquals("connect(/nowhere/vm.sock): ENOENT", reason);
        link.close();
    }

    @Test
    void givenPeerThatClosesItsLink_whenSessionBegins_thenGatewayContinues() {
        Gateway gateway = gateway(_ -> Path.of("/nowhere/vm.sock"));
        try (LinkLoop loop = new LinkLoop(OPTIONS, null, () -> {})) {
            for (int steps = 0; steps < STEPS; steps++) {
                Link link = dial(gateway, loop, "a");
                for (int i = 0; i < steps; i++) {
                    work(gateway, loop);
                }
                link.close();
                for (int i = 0; i < STEPS; i++) {
                    loop.doWork(System.nanoTime());
                    loop.doWork(System.nanoTime());
                    gateway.doWork();
                }
            }

            requireRefusal(gateway, loop, dial(gateway, loop, "a"));
        } finally {
            gateway.onClose();
        }
    }

    @Test
    void givenMostSessionsOfVm_whenMoreBegin_thenTheyAreRefusedAndOtherVmsAreServed(
            @TempDir Path folder) throws IOException {
        Path silent = folder.resolve("silent");
        Gateway gateway = gateway(_ -> silent);
        try (ServerSocketChannel vm = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                LinkLoop loop = new LinkLoop(OPTIONS, null, () -> {})) {
            vm.bind(UnixDomainSocketAddress.of(silent), 2 * Gateway.MOST_SESSIONS_OF_VM);
            for (int i = 0; i < Gateway.MOST_SESSIONS_OF_VM; i++) {
                requireUp(gateway, loop, dial(gateway, loop, "a"));
            }

            Link beyond = dial(gateway, loop, "a");
            while (!beyond.state().hasEnded()) {
                work(gateway, loop);
            }

            assertEquals("refused: sessions of a=129, limit=128", beyond.reason());
            requireUp(gateway, loop, dial(gateway, loop, "b"));
        } finally {
            gateway.onClose();
        }
    }

    private static void requireUp(Gateway gateway, LinkLoop loop, Link link) {
        while (link.state() == LinkState.CONNECTING) {
            work(gateway, loop);
        }
        assertEquals(LinkState.UP, link.state(), link::reason);
    }

    @Test
    void givenInternalErrorOfOneSession_whenOthersBegin_thenTheyAreServed() {
        int[] calls = {0};
        Gateway gateway =
                gateway(vm -> {
                    // The first call decides on the link, the second one opens the session.
                    if (vm.equals("broken") && calls[0]++ > 0) {
                        throw new IllegalStateException("broken");
                    }
                    return Path.of("/nowhere/vm.sock");
                });
        try (LinkLoop loop = new LinkLoop(OPTIONS, null, () -> {})) {
            Link broken = dial(gateway, loop, "broken");
            while (!broken.state().hasEnded()) {
                work(gateway, loop);
            }

            requireRefusal(gateway, loop, dial(gateway, loop, "a"));
        } finally {
            gateway.onClose();
        }
    }
}
