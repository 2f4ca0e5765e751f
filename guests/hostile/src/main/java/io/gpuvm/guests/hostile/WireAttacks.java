package io.gpuvm.guests.hostile;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.trap.client.RefusedException;
import io.gpuvm.trap.client.VfioUserClient;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Attacks on the protocol: connections that end within a message or send an invalid size, and
/// guest memory in files that are not memory.
final class WireAttacks {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final List<String> FOREIGN_FILES = List.of("/dev/zero", "/proc/self/comm");
    private static final long PAGE_BYTES = 4096;
    private static final int LONG_MESSAGE = 4096;
    private static final int HUGE_MESSAGE = Integer.MAX_VALUE;

    private final Path socket;

    WireAttacks(Path socket) {
        this.socket = socket;
    }

    /// Sends half a header, a header without its body, half a body, and invalid sizes.
    void halfMessages() {
        breakOff(header(LONG_MESSAGE, VfioUserClient.HEADER_BYTES / 2));
        breakOff(header(LONG_MESSAGE, VfioUserClient.HEADER_BYTES));
        breakOff(header(LONG_MESSAGE, LONG_MESSAGE / 2));
        breakOff(header(VfioUserClient.HEADER_BYTES - 1, VfioUserClient.HEADER_BYTES));
        breakOff(header(HUGE_MESSAGE, VfioUserClient.HEADER_BYTES));
        breakOff(header(-1, VfioUserClient.HEADER_BYTES));
    }

    /// Offers files that are not memory as guest memory: a device file and a file of procfs.
    void foreignMemory(Consumer<String> findings) {
        for (String file : FOREIGN_FILES) {
            try (VfioUserClient client = new VfioUserClient(socket).negotiate();
                    Descriptor descriptor = Descriptor.open(Path.of(file))) {
                client.map(descriptor.number(), 0, PAGE_BYTES);
                findings.accept("guest memory accepted, file=" + file);
            } catch (RefusedException _) {
                // Expected; the backend's log contains the reason.
            }
        }
    }

    private void breakOff(byte[] bytes) {
        try (VfioUserClient client = new VfioUserClient(socket).negotiate()) {
            client.sendRaw(bytes);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /// @param stated length in the message's header, in bytes
    /// @param sent number of bytes sent
    private static byte[] header(int stated, int sent) {
        ByteBuffer message =
                ByteBuffer.allocate(Math.max(sent, VfioUserClient.HEADER_BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        VfioUserClient.header(message, 0, VfioUserClient.REGION_WRITE, stated, 0);
        return Arrays.copyOf(message.array(), sent);
    }
}
