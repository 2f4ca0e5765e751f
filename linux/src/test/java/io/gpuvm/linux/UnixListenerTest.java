package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.tests.support.OpenDescriptors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixListenerTest {
    @TempDir Path directory;

    @Test
    void givenNoClient_whenAccepted_thenAcceptReturnsNull() {
        try (UnixListener listener = UnixListener.listen(directory.resolve("s"))) {
            assertNull(listener.accept());
        }
    }

    @Test
    void givenClient_whenAccepted_thenClientIsConnected() {
        Path path = directory.resolve("s");
        try (Arena arena = Arena.ofConfined();
                UnixListener listener = UnixListener.listen(path);
                FdSocket client = FdSocket.connect(path);
                FdSocket server = listener.accept()) {
            assertNotNull(server);
            assertEquals(4, client.send(arena.allocate(4), 0, 4));
            assertEquals(4, server.receive(arena.allocate(8), 0, 8, null));
        }
    }

    @Test
    void givenListenerThatRefusesDescriptors_whenClientSendsDescriptor_thenSendIsRefused() {
        Path path = directory.resolve("s");
        try (Arena arena = Arena.ofConfined();
                UnixListener listener = UnixListener.listen(path).refuseDescriptors();
                FdSocket client = FdSocket.connect(path);
                EventFd event = EventFd.create()) {
            assumeTrue(PassedDescriptors.refuse(listener.descriptor()), "Linux before 6.16");
            MemorySegment data = arena.allocate(4);
            int descriptor = event.descriptor();
            assertThrows(LinuxException.class, () -> client.send(data, 0, 4, descriptor));
            try (FdSocket server = listener.accept()) {
                assertThrows(LinuxException.class, () -> client.send(data, 0, 4, descriptor));
                assertEquals(4, client.send(data, 0, 4));
                assertEquals(4, server.receive(arena.allocate(8), 0, 8));
            }
        }
    }

    @Test
    void givenListener_whenClosed_thenPathIsRemoved() {
        Path path = directory.resolve("s");
        UnixListener listener = UnixListener.listen(path);
        assertTrue(Files.exists(path));
        listener.close();
        listener.close();
        assertFalse(Files.exists(path));
    }

    @Test
    void givenListener_whenSecondListenerUsesSamePath_thenSecondListenerIsRefused() {
        Path path = directory.resolve("s");
        try (UnixListener _ = UnixListener.listen(path)) {
            LinuxException refused =
                    assertThrows(LinuxException.class, () -> UnixListener.listen(path));
            assertTrue(refused.is(Errno.EADDRINUSE), refused.getMessage());
        }
    }

    @Test
    void givenAbandonedSocket_whenListening_thenSocketIsReplaced() {
        Path path = directory.resolve("s");
        abandonSocketAt(path);
        assertTrue(Files.exists(path));
        try (UnixListener listener = UnixListener.listen(path);
                FdSocket _ = FdSocket.connect(path);
                FdSocket server = listener.accept()) {
            assertNotNull(server);
        }
    }

    @Test
    void givenPrivateSocket_whenCreated_thenOnlyOwningUserMayConnect() throws IOException {
        Path path = directory.resolve("s");
        try (UnixListener listener = UnixListener.listenPrivately(path);
                FdSocket _ = FdSocket.connect(path);
                FdSocket server = listener.accept()) {
            assertNotNull(server);
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            assertEquals("rw-------", PosixFilePermissions.toString(permissions));
        }
    }

    @Test
    void givenRegularFile_whenListening_thenListenerIsRefusedAndFileRemains() throws IOException {
        Path path = Files.writeString(directory.resolve("s"), "precious");
        LinuxException refused =
                assertThrows(LinuxException.class, () -> UnixListener.listen(path));
        assertTrue(refused.is(Errno.EADDRINUSE), refused.getMessage());
        assertEquals("precious", Files.readString(path));
    }

    @Test
    void givenLongPath_whenListening_thenErrorNamesLimit() {
        int before = OpenDescriptors.count();
        Path path = directory.resolve("x".repeat(108));
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> UnixListener.listen(path));
        assertTrue(refused.getMessage().contains("limit=107"), refused.getMessage());
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenNoListener_whenConnecting_thenConnectionIsRefusedAndNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        LinuxException refused =
                assertThrows(
                        LinuxException.class, () -> FdSocket.connect(directory.resolve("none")));
        assertTrue(refused.is(Errno.ENOENT), refused.getMessage());
        assertEquals(before, OpenDescriptors.count());
    }

    /// Binds without listening and closes without unlinking, as a killed process does.
    private static void abandonSocketAt(Path path) {
        int number = Native.C.socket(SocketAddress.AF_UNIX, SocketAddress.SOCK_STREAM, 0);
        try (Arena arena = Arena.ofConfined();
                Descriptor _ = Descriptor.own(number)) {
            long name = SocketAddress.of(path, arena).address();
            assertEquals(0, Native.C.bind(number, name, SocketAddress.BYTES));
        }
    }
}
