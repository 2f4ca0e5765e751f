package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MappedMemory.Access;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.Seal;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of paravirtual guests of a complete backend: their connections and disconnections.
@Timeout(60)
class PvServiceTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long DATA_BYTES = 8L << 20;

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment message = arena.allocate(Welcome.BYTES, Long.BYTES);
    private Backend backend;

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
        arena.close();
        assertFalse(failed.get());
    }

    @ParameterizedTest
    @EnumSource(ThreadMode.class)
    void givenGuest_whenMemoryAndChannelAreCreated_thenChannelAcceptsWork(ThreadMode threads) {
        start(threads);
        try (PvTransport guest = PvTransport.connect(socket("a"));
                HostMemory memory = guest.allocateHost(4096);
                GpuMemory vram = guest.allocateVram(1 << 20);
                GpuChannel channel = guest.openChannel()) {
            assertNull(channel.failure());
            memory.segment().set(ValueLayout.JAVA_INT, 0, 0);
            assertTrue(vram.gpuVa() != memory.gpuVa());
            assertTrue(channel.offer(0, 1));
            channel.ring();
            await("a fault", () -> channel.failure() != null);
            assertEquals(ChannelFailure.Kind.MEMORY_FAULT, channel.failure().what());
        }
    }

    @Test
    void givenArea_whenReceived_thenAreaIsSealed() {
        start(ThreadMode.SEPARATE);
        List<Descriptor> descriptors = new ArrayList<>();
        try (FdSocket guest = FdSocket.connect(socket("a"))) {
            Welcome welcome = say(guest, new Hello(AreaHeader.VERSION, DATA_BYTES), descriptors);
            assertNull(welcome.refusal());
            assertEquals(Welcome.DESCRIPTORS, descriptors.size());
            Set<Seal> seals = Seal.of(descriptors.get(Welcome.AREA).number());
            assertTrue(seals.containsAll(Set.of(Seal.SHRINK, Seal.GROW, Seal.SEAL)));
        } finally {
            descriptors.forEach(Descriptor::close);
        }
    }

    @Test
    void
            givenGuestOfOnlySession_whenSecondGuestConnects_thenSecondGuestIsRefusedUntilFirstLeaves() {
        start(ThreadMode.SEPARATE, "sessions=1");
        Hello hello = new Hello(AreaHeader.VERSION, DATA_BYTES);
        try (PvTransport _ = PvTransport.connect(socket("a"));
                FdSocket second = FdSocket.connect(socket("a"))) {
            assertRefused(second, hello, "sessions=2, limit=1");
        }
        for (int i = 0; i < 3; i++) {
            PvTransport.connect(socket("a")).close();
        }
        assertEquals(4, backend.summary().vms().getFirst().connections());
    }

    @Test
    void givenInvalidHellos_whenSent_thenHellosAreRefusedAndNextGuestIsAccepted() {
        start(ThreadMode.SEPARATE);
        try (FdSocket guest = FdSocket.connect(socket("a"))) {
            assertRefused(guest, new Hello(99, DATA_BYTES), "version=99, expected=1");
        }
        try (FdSocket guest = FdSocket.connect(socket("a"))) {
            assertRefused(guest, new Hello(AreaHeader.VERSION, -1), "dataBytes=-1");
        }
        try (FdSocket guest = FdSocket.connect(socket("a"))) {
            guest.send(message.fill((byte) 7), 0, Hello.BYTES);
            assertTrue(answer(guest, new ArrayList<>()).refusal().contains("expected the Hello"));
        }
        try (FdSocket _ = FdSocket.connect(socket("a"))) {
            // Disconnects without a message.
        }
        PvTransport.connect(socket("a")).close();
    }

    @Test
    void givenGuest_whenMessageFollowsHello_thenGuestIsDisconnected() {
        start(ThreadMode.SEPARATE);
        List<Descriptor> descriptors = new ArrayList<>();
        try (FdSocket guest = FdSocket.connect(socket("a"))) {
            say(guest, new Hello(AreaHeader.VERSION, DATA_BYTES), descriptors);
            guest.send(message, 0, 1);
            receiveEnd(guest);
        } finally {
            descriptors.forEach(Descriptor::close);
        }
        PvTransport.connect(socket("a")).close();
    }

    @Test
    void givenGuestWithWorkInFlight_whenDisconnected_thenNextGuestFindsInitialState() {
        start(ThreadMode.SEPARATE);
        for (int i = 0; i < 3; i++) {
            try (PvTransport guest = PvTransport.connect(socket("a"))) {
                assertEquals(64L << 20, guest.limits().vramBytes());
                GpuMemory all = guest.allocateVram(60L << 20);
                GpuChannel channel = guest.openChannel();
                channel.offer(all.gpuVa(), 1);
                channel.ring();
            }
        }
    }

    @Test
    void givenGuestsThatKeepAreas_whenDisconnected_thenAreasHaveNoMemory() {
        start(ThreadMode.SEPARATE);
        List<Descriptor> descriptors = new ArrayList<>();
        List<Descriptor> areas = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                descriptors.clear();
                try (FdSocket guest = FdSocket.connect(socket("a"))) {
                    say(guest, new Hello(AreaHeader.VERSION, DATA_BYTES), descriptors);
                    areas.addAll(descriptors);
                    Descriptor area = descriptors.get(Welcome.AREA);
                    long bytes = FileStatus.of(area.number()).bytes();
                    try (MappedMemory all =
                            MappedMemory.map(area.number(), 0, bytes, Access.READ_WRITE)) {
                        all.segment().asSlice(bytes - DATA_BYTES).fill((byte) 1);
                    }
                    assertTrue(FileStatus.of(area.number()).usedBytes() >= DATA_BYTES);
                }
                Descriptor kept = descriptors.get(Welcome.AREA);
                await("memory is released", () -> FileStatus.of(kept.number()).usedBytes() == 0);
            }
        } finally {
            areas.forEach(Descriptor::close);
        }
    }

    @Test
    void givenEndingBackend_whenGuestSendsCommand_thenGuestIsNotifiedOfEnd() {
        start(ThreadMode.SEPARATE);
        try (PvTransport guest = PvTransport.connect(socket("a"))) {
            backend.close();
            backend = null;
            assertThrows(TransportException.class, () -> guest.allocateVram(4096));
            assertFalse(Files.exists(socket("a")));
        }
    }

    private void start(ThreadMode threads) {
        start(threads, "sessions=16");
    }

    /// @param key key and value for the first virtual machine
    private void start(ThreadMode threads, String key) {
        backend =
                Backend.start(
                        new BackendConfig(
                                GpuSpec.parse("soft,vram=256M,workers=1"),
                                List.of(
                                        VmConfig.parse(
                                                "a,mode=pv,vram=64M,%s,socket=%s"
                                                        .formatted(key, socket("a"))),
                                        VmConfig.parse("b,mode=pv,vram=64M,socket=" + socket("b"))),
                                IdleMode.BACKOFF,
                                Duration.ofSeconds(10),
                                null,
                                threads),
                        () -> failed.set(true));
    }

    private Path socket(String name) {
        return folder.resolve(name);
    }

    private Welcome say(FdSocket guest, Hello hello, List<Descriptor> descriptors) {
        hello.write(message);
        guest.send(message, 0, Hello.BYTES);
        return answer(guest, descriptors);
    }

    private Welcome answer(FdSocket guest, List<Descriptor> descriptors) {
        try (Poller poller = new Poller(1)) {
            poller.set(0, guest.descriptor());
            poller.poll(LIMIT_NS);
            assertEquals(Welcome.BYTES, guest.receive(message, 0, Welcome.BYTES, descriptors));
        }
        return Welcome.read(message);
    }

    private void assertRefused(FdSocket guest, Hello hello, String reason) {
        List<Descriptor> descriptors = new ArrayList<>();
        Welcome welcome = say(guest, hello, descriptors);
        assertTrue(welcome.refusal().contains(reason), welcome::refusal);
        assertTrue(descriptors.isEmpty());
    }

    private void receiveEnd(FdSocket guest) {
        await("the end", () -> guest.receive(message, 0, 1, new ArrayList<>()) == FdSocket.END);
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError(what + ": timeout");
            }
            Thread.onSpinWait();
        }
    }
}
