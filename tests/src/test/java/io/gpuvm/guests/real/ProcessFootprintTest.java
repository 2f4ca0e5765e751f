package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class ProcessFootprintTest {
    private static final int MOST_LOOKS = 10;

    private final long pid = ProcessHandle.current().pid();

    @Test
    void givenCurrentProcess_whenRead_thenMemoryIsSumOfParts() throws IOException {
        ProcessFootprint now = ProcessFootprint.of(pid);
        assertTrue(now.anonymousKib() > 0 && now.fileKib() > 0, now::toString);
        assertEquals(now.residentKib(), now.anonymousKib() + now.sharedKib() + now.fileKib());
    }

    @Test
    void givenAdditionalSocket_whenRead_thenSocketIsCounted() throws IOException {
        SocketChannel.open().close(); // For the first socket, the JVM opens another one.
        long more = 0;
        for (int looks = 0; more != 1 && looks < MOST_LOOKS; looks++) {
            more = moreWithASocket();
        }
        assertEquals(1, more);
    }

    /// Returns the number of additional descriptors with one additional socket. The number is not 1
    /// if the JVM opens or closes a file concurrently.
    private long moreWithASocket() throws IOException {
        long before = ProcessFootprint.of(pid).descriptors();
        try (SocketChannel _ = SocketChannel.open()) {
            return ProcessFootprint.of(pid).descriptors() - before;
        }
    }

    @Test
    void givenEndedProcess_whenRead_thenReadFails() throws Exception {
        Process process = new ProcessBuilder("/bin/true").start();
        process.waitFor();
        assertThrows(IOException.class, () -> ProcessFootprint.of(process.pid()));
    }
}
