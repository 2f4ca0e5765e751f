package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpSocketTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void givenListener_whenClientConnects_thenBytesPassInBothDirections(String host) {
        try (Arena arena = Arena.ofConfined();
                TcpListener listener = listen(host);
                TcpSocket client = TcpSocket.connect(listener.address())) {
            await(listener.descriptor(), false);
            try (TcpSocket server = listener.accept()) {
                assertNotNull(server);
                assertTrue(client.isConnected());
                assertEquals(
                        host,
                        server.peer()
                                .getAddress()
                                .getHostAddress()
                                .replace("0:0:0:0:0:0:0:1", "::1"));
                MemorySegment data = arena.allocate(8);
                data.set(ValueLayout.JAVA_LONG, 0, 42);
                MemorySegment got = arena.allocate(8);

                assertEquals(TcpSocket.NOTHING_YET, client.receive(got, 0, 8));
                assertEquals(8, server.send(data, 0, 8));
                await(client.descriptor(), false);
                assertEquals(8, client.receive(got, 0, 8));
                assertEquals(42, got.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }

    @Test
    void givenFinishedPeer_whenReceived_thenEndHasReason() {
        try (Arena arena = Arena.ofConfined();
                TcpListener listener = listen("127.0.0.1");
                TcpSocket client = TcpSocket.connect(listener.address())) {
            await(listener.descriptor(), false);
            try (TcpSocket server = listener.accept()) {
                server.finishSending();
                await(client.descriptor(), false);

                assertEquals(TcpSocket.END, client.receive(arena.allocate(8), 0, 8));
                assertEquals("closed by the peer", client.failure());
            }
        }
    }

    @Test
    void givenNoListener_whenConnected_thenFailureHasReason() {
        InetSocketAddress at;
        try (TcpListener listener = listen("127.0.0.1")) {
            at = listener.address();
        }
        try (TcpSocket client = TcpSocket.connect(at)) {
            await(client.descriptor(), true);

            assertFalse(client.isConnected());
            assertEquals("ECONNREFUSED", client.failure());
        }
    }

    @Test
    void givenListener_whenNoClientWaits_thenAcceptReturnsNull() {
        try (TcpListener listener = listen("127.0.0.1")) {
            assertNull(listener.accept());
            LinuxException refused =
                    assertThrows(
                            LinuxException.class, () -> TcpListener.listen(listener.address()));
            assertTrue(refused.is(Errno.EADDRINUSE));
        }
    }

    private static TcpListener listen(String host) {
        try {
            return TcpListener.listen(new InetSocketAddress(host, 0));
        } catch (LinuxException e) {
            assumeTrue(host.equals("127.0.0.1"), "no IPv6: " + e.getMessage());
            throw e;
        }
    }

    private static void await(int descriptor, boolean writable) {
        try (Poller poller = new Poller(1)) {
            if (writable) {
                poller.setWritable(0, descriptor);
            } else {
                poller.set(0, descriptor);
            }
            assertEquals(1, poller.poll(LIMIT_NS));
        }
    }
}
