package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Client side of a backend's control socket, for one request.
public final class ControlConnection {
    /// Deadline for an answer, longer than a backend's timeout for its owner.
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

    private static final int BUFFER_BYTES = 1 << 16;

    private ControlConnection() {}

    /// Sends a request and waits for its answer.
    ///
    /// @throws CommandFailedException if no backend answers at the socket
    public static JsonNode ask(Path path, JsonNode request) {
        try (FdSocket socket = FdSocket.connect(path);
                Poller poller = new Poller(1);
                Arena arena = Arena.ofConfined()) {
            byte[] line = (request + "\n").getBytes(StandardCharsets.UTF_8);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, line);
            if (socket.send(bytes, 0, line.length) != line.length) {
                throw new CommandFailedException("%s: does not accept requests".formatted(path));
            }
            poller.set(0, socket.descriptor());
            return new ObjectMapper().readTree(receive(path, socket, poller, arena));
        } catch (LinuxException e) {
            throw new CommandFailedException("%s: %s".formatted(path, e.getMessage()), e);
        } catch (JsonProcessingException e) {
            throw new CommandFailedException(
                    "%s: the answer is not JSON: %s".formatted(path, e.getOriginalMessage()), e);
        }
    }

    private static String receive(Path path, FdSocket socket, Poller poller, Arena arena) {
        MemorySegment buffer = arena.allocate(BUFFER_BYTES);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (true) {
            long got = socket.receive(buffer, 0, BUFFER_BYTES);
            long leftNs = deadline - System.nanoTime();
            if (got == FdSocket.END || leftNs <= 0) {
                throw new CommandFailedException("%s: no answer".formatted(path));
            }
            if (got == FdSocket.NOTHING_YET) {
                poller.poll(leftNs);
                continue;
            }
            byte[] bytes = buffer.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
            text.writeBytes(bytes);
            if (bytes[bytes.length - 1] == '\n') {
                return text.toString(StandardCharsets.UTF_8);
            }
        }
    }
}
