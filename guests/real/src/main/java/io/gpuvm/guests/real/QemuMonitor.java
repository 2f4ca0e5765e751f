package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Client of QEMU's machine protocol (QMP): commands to a running machine, one at a time.
///
/// Confined to one thread.
final class QemuMonitor implements AutoCloseable {
    private static final String EVENT = "event";
    private static final String RETURN = "return";

    private final SocketChannel channel;
    private final BufferedReader answers;

    private QemuMonitor(SocketChannel channel) {
        this.channel = channel;
        answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    /// Returns QEMU's options for a monitor on a socket.
    static List<String> options(Path socket) {
        return List.of("-qmp", "unix:%s,server=on,wait=off".formatted(socket));
    }

    /// Connects to a QEMU process whose machine has booted.
    static QemuMonitor connect(Path socket) {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(socket));
                QemuMonitor monitor = new QemuMonitor(channel);
                monitor.answers.readLine(); // greeting
                monitor.execute("qmp_capabilities", Map.of());
                return monitor;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Executes a command and waits for its answer.
    ///
    /// @throws IllegalStateException if QEMU refuses the command, or ends
    void execute(String command, Map<String, ?> arguments) {
        ObjectNode request = GuestEvent.JSON.createObjectNode();
        request.put("execute", command);
        request.set("arguments", GuestEvent.JSON.valueToTree(arguments));
        try {
            channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            JsonNode answer = nextAnswer();
            if (!answer.has(RETURN)) {
                throw new IllegalStateException("QEMU: %s: %s".formatted(command, answer));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the next answer; skips events.
    private JsonNode nextAnswer() throws IOException {
        for (String line; (line = answers.readLine()) != null; ) {
            JsonNode answer = GuestEvent.JSON.readTree(line);
            if (!answer.has(EVENT)) {
                return answer;
            }
        }
        throw new IllegalStateException("QEMU has ended");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
