package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.trap.vfiouser.Irq;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.trap.vfiouser.VfioUserDevice;
import io.gpuvm.trap.vfiouser.VfioUserServer;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the effects of an internal error on a virtual machine's thread.
@Timeout(60)
class VmServiceTest {
    private static final long LIMIT_S = 20;
    private static final int CONFIG = 7;
    private static final int CONFIG_BYTES = 256;

    @TempDir Path folder;

    private final AtomicInteger resets = new AtomicInteger();
    private final AtomicReference<Error> next = new AtomicReference<>();
    private final CountDownLatch lost = new CountDownLatch(1);
    private volatile boolean resetFails;
    private VfioUserServer server;
    private VmService session;

    @AfterEach
    void close() {
        if (session != null) {
            session.close();
        }
    }

    @Test
    void givenSharedGpu_whenSessionFails_thenGuestIsDisconnectedAndNextGuestIsServed()
            throws IOException {
        open(VmMode.FV);

        for (int guest = 1; guest <= 3; guest++) {
            try (SocketChannel client = connect()) {
                fail(
                        guest == 1
                                ? new OutOfMemoryError("injected")
                                : new AssertionError("injected"));
                assertEquals(-1, client.read(ByteBuffer.allocate(1)));
            }
            awaitResets(guest);
        }

        try (SocketChannel client = connect()) {
            awaitGuest(4);
            assertTrue(client.isOpen());
        }
        assertEquals(1, lost.getCount());
    }

    @Test
    void givenSharedGpu_whenSessionAndResetFail_thenServiceEndsAndSocketIsRemoved()
            throws IOException, InterruptedException {
        open(VmMode.FV);
        resetFails = true;

        try (SocketChannel client = connect()) {
            fail(new AssertionError("injected"));
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        }

        assertTrue(lost.await(LIMIT_S, TimeUnit.SECONDS));
        assertFalse(Files.exists(session.config().socket()));
        assertThrows(IOException.class, this::connect);
        session.server().wake(); // as the owner may, at any time
    }

    @Test
    void givenSharedGpu_whenSessionFailsRepeatedlyWithoutGuest_thenServiceEnds()
            throws IOException, InterruptedException {
        open(VmMode.FV);

        fail(new AssertionError("injected"));
        while (next.get() != null) {
            Thread.onSpinWait();
        }
        fail(new AssertionError("injected"));

        assertTrue(lost.await(LIMIT_S, TimeUnit.SECONDS));
    }

    @Test
    void givenPassThrough_whenSessionFails_thenServiceEnds()
            throws IOException, InterruptedException {
        open(VmMode.PASSTHROUGH);

        try (SocketChannel client = connect()) {
            fail(new AssertionError("injected"));
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        }

        assertTrue(lost.await(LIMIT_S, TimeUnit.SECONDS));
        assertEquals(1, resets.get());
    }

    private void open(VmMode mode) {
        VmConfig config = VmConfig.of("vm0", mode, folder.resolve("vm0"));
        server = VfioUserServer.listen(config.socket(), new Device());
        session = new VmService(config, server, new Work(), IdleMode.BLOCK, lost::countDown);
        session.start();
    }

    /// Work that fails on request.
    private final class Work implements ParkingAgent {
        @Override
        public int doWork() {
            Error error = next.getAndSet(null);
            if (error != null) {
                throw error;
            }
            return 0;
        }

        @Override
        public boolean mayPark() {
            return doWork() == 0;
        }

        @Override
        public String roleName() {
            return "work";
        }
    }

    private void fail(Error error) {
        next.set(error);
        server.wake();
    }

    private SocketChannel connect() throws IOException {
        SocketChannel client =
                SocketChannel.open(UnixDomainSocketAddress.of(session.config().socket()));
        awaitGuest(resets.get() + 1);
        return client;
    }

    /// Waits for resets. The client detects its disconnection before the device is reset.
    private void awaitResets(int number) {
        long start = System.nanoTime();
        while (resets.get() < number) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(LIMIT_S));
            Thread.onSpinWait();
        }
    }

    private void awaitGuest(int number) {
        long start = System.nanoTime();
        while (server.counters().connections() < number || !server.connected()) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(LIMIT_S));
            Thread.onSpinWait();
        }
    }

    /// Device that implements only the disconnection of a guest, which may fail.
    private final class Device implements VfioUserDevice {
        @Override
        public Region region(int index) {
            return index == CONFIG ? Region.trapped(CONFIG_BYTES, true) : Region.ABSENT;
        }

        @Override
        public long read(int region, long offset, int width) {
            return 0;
        }

        @Override
        public void write(int region, long offset, int width, long value) {}

        @Override
        public TrapRegion trapRegion(int region, long offset) {
            return TrapRegion.CONFIG;
        }

        @Override
        public int vectors(Irq irq) {
            return 0;
        }

        @Override
        public void connectInterrupt(Irq irq, int vector, int eventDescriptor) {}

        @Override
        public void disconnectInterrupt(Irq irq, int vector) {}

        @Override
        public void maskInterrupt() {}

        @Override
        public void unmaskInterrupt() {}

        @Override
        public boolean busMaster() {
            return false;
        }

        @Override
        public boolean isOwnRange(long guestPhys, long bytes) {
            return false;
        }

        @Override
        public void mapDma(DmaMapping mapping) {}

        @Override
        public void unmapDma(long iova, long bytes) {}

        @Override
        public void reset() {}

        @Override
        public void disconnected() {
            resets.incrementAndGet();
            if (resetFails) {
                throw new AssertionError("injected");
            }
        }
    }
}
