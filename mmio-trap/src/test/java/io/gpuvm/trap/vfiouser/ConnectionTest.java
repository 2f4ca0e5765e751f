package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.access;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.le16;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.message;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MemFd;
import io.gpuvm.tests.support.DescriptorLimit;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTest {
    private static final int DMA_MAP = 2;
    private static final int SET_IRQS = 8;
    private static final int READ = 9;
    private static final int WRITE = 10;
    private static final int CONFIG = 7;
    private static final int PARKS = 5;
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final TestServer server = new TestServer();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void givenClientWithInterruptsAndMemory_whenClientDisconnects_thenNoStateRemains() {
        int before = OpenDescriptors.count();
        try (MemFd ram = MemFd.create("ram", 0x1000);
                EventFd event = EventFd.create()) {
            RawVfioUserClient client = server.client();
            client.done(WRITE, write(4, CONFIG, le16(4)));
            client.done(DMA_MAP, map(0x4000, 0x1000), ram.descriptor());
            client.done(SET_IRQS, ints(20, 0x24, 1, 2, 1), event.descriptor());
            client.done(SET_IRQS, ints(20, 0x14, 0, 0, 1), event.descriptor());
            server.device().takeCalls();
            client.close();
            server.settle();
            assertEquals(
                    List.of(
                            "disconnect MSI 2",
                            "unmap 0+8000000000000000",
                            "unmap 8000000000000000+8000000000000000",
                            "disconnected"),
                    server.device().takeCalls());
        }
        assertFalse(server.server().connected());
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenConsecutiveClients_whenServed_thenNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        try (MemFd ram = MemFd.create("ram", 0x1000);
                EventFd event = EventFd.create()) {
            for (int i = 0; i < 50; i++) {
                try (RawVfioUserClient client = server.client()) {
                    client.done(DMA_MAP, map(0x4000, 0x1000), ram.descriptor());
                    client.done(SET_IRQS, ints(20, 0x24, 1, 0, 1), event.descriptor());
                    client.send(DMA_MAP, 0, map(0x8000, 0x1000), ram.descriptor());
                }
                server.settle();
                assertEquals(before + 2, OpenDescriptors.count());
            }
        }
        assertEquals(50, server.counters().connections());
    }

    @Test
    void givenPartialMessageWithDescriptor_whenClientDisconnects_thenDescriptorIsClosed() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create();
                RawVfioUserClient client = server.client()) {
            byte[] connect = message(1, SET_IRQS, 0, ints(20, 0x24, 1, 0, 1));
            client.sendBytes(Arrays.copyOf(connect, 10), event.descriptor());
            server.settle();
        }
        server.settle();
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenTooManyDescriptors_whenReceived_thenConnectionIsClosedAndNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create();
                RawVfioUserClient client = server.client()) {
            int[] tooMany = new int[FdSocket.MAX_RECEIVED + 1];
            Arrays.fill(tooMany, event.descriptor());
            client.sendBytes(message(1, SET_IRQS, 0, ints(20, 0x24, 1, 0, 17)), tooMany);
            client.expectClosed();
        }
        server.settle();
        assertEquals(1, server.counters().refused(Refusal.DESCRIPTORS_LOST));
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenUnreadReplies_whenClientDisconnects_thenNextClientIsServed() {
        try (RawVfioUserClient client = server.client()) {
            for (int i = 0; i < 10; i++) {
                client.send(READ, 0, access(0, CONFIG, 4096));
            }
        }
        server.settle();
        try (RawVfioUserClient next = server.client()) {
            next.done(READ, access(0, CONFIG, 4096));
        }
    }

    @Test
    void givenClientThatDoesNotRead_whenRequestsContinue_thenServerNeitherWaitsNorDropsReplies() {
        try (Arena arena = Arena.ofConfined();
                RawVfioUserClient client = server.client()) {
            byte[] bytes = message(9, READ, 0, access(0, CONFIG, 4096));
            MemorySegment read = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            int asked = 0;
            int refusals = 0;
            while (refusals < 100) {
                if (client.socket().send(read, 0, bytes.length) > 0) {
                    asked++;
                } else {
                    refusals++;
                }
                if (server.server().doWork() == 0) {
                    server.look();
                }
            }
            assertTrue(asked > 50, "asked " + asked);
            for (int i = 0; i < asked; i++) {
                Answer answer = client.receive();
                assertEquals(9, answer.id());
                assertEquals(16 + 4096, answer.body().limit());
            }
            client.expectNoReplyBefore();
        }
    }

    @Test
    void givenBlockedServer_whenClientReadsReplies_thenParkedServerContinues()
            throws InterruptedException {
        try (RawVfioUserClient client = server.client()) {
            int asked = 100;
            for (int i = 0; i < asked; i++) {
                client.send(READ, 0, access(0, CONFIG, 4096));
            }
            assertTrue(server.counters().messages() < 1 + asked, "the server is not blocked");
            AtomicBoolean done = new AtomicBoolean();
            Thread serving =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!done.get()) {
                                    if (server.server().doWork() == 0) {
                                        server.server().parking().park(() -> !done.get());
                                    }
                                }
                            });
            long left = asked * (32 + 4096);
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (left > 0 && System.nanoTime() - deadlineNs < 0) {
                left -= Math.max(0, client.receiveSome());
            }
            done.set(true);
            server.server().wake();
            serving.join();
            assertEquals(0, left);
        }
    }

    @Test
    void givenSecondClient_whenConnecting_thenSecondClientIsRefusedAndFirstClientIsServed() {
        try (RawVfioUserClient first = server.client();
                RawVfioUserClient second = server.connect()) {
            server.look();
            assertEquals(FdSocket.END, second.receiveSome());
            first.expectNoReplyBefore();
        }
        server.settle();
        try (RawVfioUserClient third = server.client()) {
            third.expectNoReplyBefore();
        }
        assertEquals(2, server.counters().connections());
    }

    @Test
    void givenJustDisconnectedClient_whenSecondClientConnects_thenSecondClientIsServed() {
        RawVfioUserClient first = server.client();
        first.close();
        try (RawVfioUserClient second = server.connect()) {
            server.look();
            second.negotiate();
        }
    }

    /// Tests that a server that cannot accept a waiting client sleeps between two attempts.
    @Test
    void givenNoDescriptorForClient_whenServerParks_thenServerSleeps() {
        loadErrorClasses();
        long tookNs;
        try (RawVfioUserClient _ = server.connect();
                DescriptorLimit _ = new DescriptorLimit()) {
            server.server().doWork();
            long beginNs = System.nanoTime();
            for (int i = 0; i < PARKS; i++) {
                server.server().parking().park(server.server());
                server.server().doWork();
            }
            tookNs = System.nanoTime() - beginNs;
        }
        assertTrue(tookNs / PARKS > MILLISECOND_NS, () -> "a park took " + tookNs / PARKS + " ns");
    }

    /// Tests that a server also sleeps between two attempts while it serves another client.
    @Test
    void givenNoDescriptorForSecondClient_whenServerParks_thenServerSleeps() {
        loadErrorClasses();
        long tookNs;
        try (RawVfioUserClient _ = server.client();
                RawVfioUserClient second = server.connect()) {
            server.settle();
            try (DescriptorLimit _ = new DescriptorLimit()) {
                long beginNs = System.nanoTime();
                for (int i = 0; i < PARKS; i++) {
                    server.server().parking().park(server.server());
                    server.server().doWork();
                }
                tookNs = System.nanoTime() - beginNs;
            }
            server.server().parking().park(server.server());
            second.expectClosed();
        }
        assertTrue(tookNs / PARKS > MILLISECOND_NS, () -> "a park took " + tookNs / PARKS + " ns");
    }

    @Test
    void givenNoDescriptorForClient_whenDescriptorIsReleased_thenClientIsServed() {
        try (RawVfioUserClient client = server.connect()) {
            loadErrorClasses();
            try (DescriptorLimit _ = new DescriptorLimit()) {
                assertEquals(0, server.server().doWork());
            }
            assertFalse(server.server().connected());
            while (!server.server().connected()) {
                server.server().parking().park(server.server());
                server.server().doWork();
            }
            client.negotiate();
        }
    }

    /// Loads the class of the exception while a descriptor is available for loading the class.
    private static void loadErrorClasses() {
        assertThrows(LinuxException.class, () -> FdSocket.connect(Path.of("/gone/socket")));
    }

    @Test
    void givenConnectedClient_whenServerCloses_thenClientReceivesEndAndSocketIsRemoved() {
        try (TestServer other = new TestServer();
                RawVfioUserClient client = other.client()) {
            assertTrue(Files.exists(other.server().socket()));
            other.server().close();
            assertEquals(FdSocket.END, client.receiveSome());
            assertFalse(Files.exists(other.server().socket()));
            assertThrows(LinuxException.class, other::connect);
            assertEquals(List.of("disconnected"), other.device().takeCalls());
        }
    }

    @Test
    void givenServers_whenCreatedAndClosed_thenNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        List<TestServer> servers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            servers.add(new TestServer());
        }
        servers.forEach(TestServer::close);
        servers.forEach(TestServer::close);
        assertEquals(before, OpenDescriptors.count());
    }

    private static ByteBuffer map(long iova, long bytes) {
        return body(32, b -> b.putInt(32).putInt(3).putLong(0).putLong(iova).putLong(bytes));
    }
}
