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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixListenerTest {
    /// User and group without rights.
    private static final int OTHER = 65_534;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

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
    void givenSocket_whenCreated_thenOnlyOwningUserMayConnect() throws IOException {
        Path path = directory.resolve("s");
        try (UnixListener listener = UnixListener.listen(path);
                FdSocket _ = FdSocket.connect(path);
                FdSocket server = listener.accept()) {
            assertEquals("rw-------", permissions(path));
            assertNull(listener.refusal(server));
            assertEquals(ProcessHandle.current().pid(), server.peer().pid());
        }
    }

    @Test
    void givenGroup_whenSocketIsCreated_thenFileBelongsToGroup() throws IOException {
        assumeTrue(isRoot(), "only root may give files away");
        Path path = directory.resolve("s");
        try (UnixListener _ = UnixListener.listen(path, new SocketAccess(OTHER, OTHER))) {
            assertEquals("rw-rw----", permissions(path));
            assertEquals(OTHER, Files.getAttribute(path, "unix:uid"));
            assertEquals(OTHER, Files.getAttribute(path, "unix:gid"));
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void givenOtherUser_whenFileIsAccessibleToEveryUser_thenPeerIsRefusedByItsCredentials()
            throws Exception {
        assumeTrue(isRoot(), "only root may start processes of other users");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "perl is missing");
        makeAccessible(directory);
        Path path = directory.resolve("s");
        try (UnixListener listener = UnixListener.listen(path)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
            Process other = connectAs(OTHER, path);
            try (FdSocket client = awaitClient(listener)) {
                assertEquals(
                        "uid=%1$d gid=%1$d may not connect, expected uid 0".formatted(OTHER),
                        listener.refusal(client));
                SocketAccess ofUser = new SocketAccess(OTHER, SocketAccess.NONE);
                assertNull(ofUser.refusal(client.peer()));
                SocketAccess ofGroup = new SocketAccess(SocketAccess.NONE, OTHER);
                assertNull(ofGroup.refusal(client.peer()));
                SocketAccess ofNeither = new SocketAccess(1, 1);
                assertEquals(
                        "uid=%1$d gid=%1$d may not connect, expected uid 0 or 1, or gid 1"
                                .formatted(OTHER),
                        ofNeither.refusal(client.peer()));
            } finally {
                other.destroy();
                other.waitFor();
            }
        }
    }

    @Test
    void givenFolderThatOthersMayWrite_whenListening_thenOnlyStickyFolderIsAccepted()
            throws IOException {
        Path folder = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path path = folder.resolve("s");
        LinuxException refused =
                assertThrows(LinuxException.class, () -> UnixListener.listen(path));
        assertTrue(refused.is(Errno.EPERM), refused.getMessage());
        assertTrue(refused.getMessage().contains("mode=777"), refused.getMessage());
        Files.setAttribute(folder, "unix:mode", 01777);
        UnixListener.listen(path).close();
    }

    @Test
    void givenLinkToAbandonedSocket_whenListening_thenListenerIsRefusedAndBothFilesRemain()
            throws IOException {
        Path target = directory.resolve("target");
        abandon(target);
        Path link = Files.createSymbolicLink(directory.resolve("s"), target);
        LinuxException refused =
                assertThrows(LinuxException.class, () -> UnixListener.listen(link));
        assertTrue(refused.is(Errno.EADDRINUSE), refused.getMessage());
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.exists(target));
        UnixListener.listen(target).close();
    }

    /// Leaves the socket file of a listener that no longer exists.
    private void abandon(Path path) throws IOException {
        try (UnixListener _ = UnixListener.listen(directory.resolve("moved"))) {
            Files.move(directory.resolve("moved"), path);
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static boolean isRoot() {
        return Native.C.geteuid() == 0;
    }

    /// Makes all users reach a folder of the test.
    private static void makeAccessible(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Starts a process of another user that connects, and remains.
    private static Process connectAs(int uid, Path path) throws IOException {
        return new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + uid,
                        "--regid=" + uid,
                        "--clear-groups",
                        "perl",
                        "-MSocket",
                        "-e",
                        "socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un($ARGV[0]))"
                                + " or die $!; sleep 60",
                        path.toString())
                .inheritIO()
                .start();
    }

    private static FdSocket awaitClient(UnixListener listener) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < LIMIT_NS) {
            FdSocket client = listener.accept();
            if (client != null) {
                return client;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no client connects");
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
