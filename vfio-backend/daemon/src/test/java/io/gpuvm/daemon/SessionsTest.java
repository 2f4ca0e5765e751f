package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of several clients of one virtual machine's socket at the same time.
@Timeout(120)
class SessionsTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SESSIONS = 16;
    private static final int VMS = 8;
    private static final int PER_VM = 4;
    private static final int SIZE = 32;

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private Backend backend;

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
        assertFalse(failed.get());
    }

    @Test
    void givenTwoClients_whenBothCompute_thenResultsAreVerified() {
        start(1, "data=16M");
        computeAtOnce(2);
        assertEquals(2, backend.summary().vms().getFirst().connections());
    }

    @Test
    void givenAllSessionsServed_whenClientConnects_thenClientIsRefusedUntilSessionEnds() {
        start(1, "data=8M");
        List<PvTransport> clients = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            clients.add(PvTransport.connect(socket(0)));
        }
        assertEquals(
                new BackendSummary.Sessions(SESSIONS, SESSIONS),
                backend.summary().vms().getFirst().sessions());
        String refusal =
                assertThrows(TransportException.class, () -> PvTransport.connect(socket(0)))
                        .getMessage();
        assertTrue(refusal.contains("sessions=17, limit=16"), refusal);
        clients.removeFirst().close();
        clients.add(PvTransport.connect(socket(0)));
        clients.forEach(PvTransport::close);
        await("end of the sessions", () -> open(0) == 0);
    }

    @Test
    void givenSixteenClients_whenAllConnectAndComputeAtOnce_thenResultsAreVerified() {
        start(1, "data=16M");
        computeAtOnce(SESSIONS);
    }

    @Test
    void givenEightVmsOfFourPrograms_whenAllComputeAtOnce_thenResultsAreVerified() {
        start(VMS, "data=16M,sessions=" + PER_VM);
        computeAtOnce(VMS * PER_VM);
        for (BackendSummary.Vm vm : backend.summary().vms()) {
            assertEquals(PER_VM, vm.connections());
        }
    }

    @Test
    void givenVramOfSession_whenSessionEnds_thenSiblingFindsZeros() {
        start(1, "data=8M");
        try (GpuContext sibling = GpuContext.open(PvTransport.connect(socket(0)))) {
            long bytes = 32L << 20;
            byte[] back = new byte[1 << 20];
            try (GpuContext first = GpuContext.open(PvTransport.connect(socket(0)))) {
                first.defaultStream().fill(first.allocate(bytes), 0, bytes, 0x5a);
                first.synchronize();
            }
            await("end of the session", () -> open(0) == 1);
            var memory = sibling.allocate(bytes);
            for (long at = 0; at < bytes; at += back.length) {
                sibling.defaultStream().copyToHost(MemorySegment.ofArray(back), memory, at);
                sibling.synchronize();
                for (byte one : back) {
                    assertEquals(0, one);
                }
            }
        }
    }

    /// Tests that a client that dies with work in flight affects no sibling, many times.
    @Test
    void givenComputingSiblings_whenClientsDieWithWorkInFlight_thenSiblingsResultsAreVerified() {
        start(1, "data=16M");
        PvTransport.connect(socket(0)).close();
        try (HonestPvGuest one = HonestPvGuest.start(socket(0), 1);
                HonestPvGuest two = HonestPvGuest.start(socket(0), 2)) {
            one.awaitRound();
            two.awaitRound();
            int descriptors = OpenDescriptors.count();
            for (int i = 0; i < 20; i++) {
                try (PvTransport mortal = PvTransport.connect(socket(0))) {
                    GpuMemory memory = mortal.allocateVram(8L << 20);
                    GpuChannel channel = mortal.openChannel();
                    channel.offer(memory.gpuVa(), 1);
                    channel.ring();
                }
            }
            one.awaitRound();
            two.awaitRound();
            await("end of the sessions", () -> open(0) == 2);
            await("descriptors", () -> OpenDescriptors.count() <= descriptors);
        }
    }

    @Test
    void givenClientThatSaysNothing_whenSiblingIsConnected_thenSiblingIsServed() {
        start(1, "data=8M");
        try (PvTransport sibling = PvTransport.connect(socket(0));
                FdSocket _ = FdSocket.connect(socket(0));
                Arena arena = Arena.ofConfined();
                FdSocket garbage = FdSocket.connect(socket(0))) {
            MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
            new Hello(AreaHeader.VERSION + 1, 0).write(hello);
            garbage.send(hello, 0, Hello.BYTES);
            assertDoesNotThrow(() -> sibling.allocateVram(4096).close());
        }
    }

    /// Runs a workload on several clients at once, which are distributed over the virtual machines.
    private void computeAtOnce(int clients) {
        AtomicReference<Throwable> noticed = new AtomicReference<>();
        int vms = backend.summary().vms().size();
        List<Thread> threads =
                IntStream.range(0, clients)
                        .mapToObj(i ->
                                Thread.ofPlatform().start(() -> compute(socket(i % vms), noticed)))
                        .toList();
        for (Thread thread : threads) {
            try {
                assertTrue(thread.join(Duration.ofNanos(LIMIT_NS)), "a client hangs");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (noticed.get() != null) {
            throw new AssertionError("a client failed", noticed.get());
        }
    }

    private static void compute(Path socket, AtomicReference<Throwable> noticed) {
        try (GpuContext guest = GpuContext.open(PvTransport.connect(socket))) {
            Timings.of(new Task(Workloads.named("mmul"), SIZE), guest, 1);
        } catch (RuntimeException | Error e) {
            noticed.compareAndSet(null, e);
        }
    }

    /// @param keys keys and values of each virtual machine
    private void start(int vms, String keys) {
        List<VmConfig> configs = new ArrayList<>();
        for (int i = 0; i < vms; i++) {
            configs.add(
                    VmConfig.parse(
                            "vm%d,mode=pv,vram=64M,%s,socket=%s".formatted(i, keys, socket(i))));
        }
        backend =
                Backend.start(
                        new BackendConfig(
                                GpuSpec.parse("soft,vram=512M,workers=1"),
                                configs,
                                IdleMode.BACKOFF,
                                Duration.ofSeconds(10),
                                null,
                                ThreadMode.SEPARATE),
                        () -> failed.set(true));
    }

    private Path socket(int vm) {
        return folder.resolve("vm" + vm);
    }

    private long open(int vm) {
        return backend.summary().vms().get(vm).sessions().open();
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
