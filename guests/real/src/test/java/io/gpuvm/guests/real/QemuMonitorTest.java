package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the monitor's client against a fake QEMU.
@Timeout(60)
class QemuMonitorTest {
    private static final String DONE = "{\"return\": {}}\n";
    private static final String EVENT = "{\"event\": \"RESET\"}\n";

    @TempDir private Path folder;
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

    @Test
    void givenMonitor_whenCommandIsExecuted_thenCommandFollowsGreetingAndEventsAreSkipped()
            throws Exception {
        Path socket = answering(DONE, EVENT + DONE);

        try (QemuMonitor monitor = QemuMonitor.connect(socket)) {
            monitor.execute("device_del", Map.of("id", "gpu"));
        }

        assertEquals("{\"execute\":\"qmp_capabilities\",\"arguments\":{}}", asked.take());
        assertEquals("{\"execute\":\"device_del\",\"arguments\":{\"id\":\"gpu\"}}", asked.take());
    }

    @Test
    void givenRefusedCommand_whenExecuted_thenMessageNamesCommandAndReason() throws IOException {
        Path socket = answering(DONE, "{\"error\": {\"desc\": \"no hot-plug\"}}\n");

        try (QemuMonitor monitor = QemuMonitor.connect(socket)) {
            IllegalStateException e =
                    assertThrows(
                            IllegalStateException.class,
                            () -> monitor.execute("device_del", Map.of("id", "gpu")));
            assertTrue(e.getMessage().contains("device_del"), e.getMessage());
            assertTrue(e.getMessage().contains("no hot-plug"), e.getMessage());
        }
    }

    /// Starts a monitor for one connection, which sends a greeting and then one answer per line.
    private Path answering(String... answers) throws IOException {
        Path socket = folder.resolve("qmp");
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(() -> serve(server, List.of(answers)));
        return socket;
    }

    private void serve(ServerSocketChannel server, List<String> answers) {
        try (server;
                SocketChannel client = server.accept();
                BufferedReader lines =
                        new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8))) {
            send(client, "{\"QMP\": {}}\n");
            for (String answer : answers) {
                asked.add(lines.readLine());
                send(client, answer);
            }
        } catch (IOException e) {
            asked.add(e.toString());
        }
    }

    private static void send(SocketChannel client, String text) throws IOException {
        client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
