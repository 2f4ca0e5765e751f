package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.PassedDescriptors;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvCounter;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.tests.support.DescriptorLimit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the reception and poller of paravirtual guests, on the test's thread and with the
/// test's clock.
@Timeout(60)
class PvReceptionTest {
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /// Pause of the reception after Linux has refused to accept a client.
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int TURNS = 100;

    @TempDir private Path folder;

    private final AtomicBoolean failed = new AtomicBoolean();
    private final List<PvPlace> places = new ArrayList<>();
    private long nowNs;
    private HostGpu gpu;
    private SharedGpu shared;
    private PvPoller poller;
    private PvReception reception;

    @BeforeEach
    void open() {
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=128M,display=off"),
                        List.of(
                                VmConfig.parse("a,mode=pv,socket=" + socket("a")),
                                VmConfig.parse("b,mode=pv,socket=" + socket("b"))),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
        Runnable onFailure = () -> failed.set(true);
        gpu = HostGpu.open(config.gpu(), onFailure);
        shared = new SharedGpu(gpu, config, onFailure);
        poller = new PvPoller();
        reception = new PvReception(poller, () -> nowNs);
        for (VmConfig vm : config.vms()) {
            PvPlace place = shared.addPv(vm, PlaceKind.COMMANDS, places.size(), poller::wake);
            places.add(place);
            reception.open(place, vm.socket());
        }
        shared.start();
    }

    @AfterEach
    void close() {
        reception.close();
        poller.close();
        shared.close();
        gpu.close();
        assertFalse(failed.get());
    }

    @Test
    void givenNoGuest_whenEndIsRequested_thenReceptionEnds() {
        assertEquals(0, reception.doWork());
        assertEquals(Long.MAX_VALUE, reception.nanosUntilWork());
        reception.leave();
        assertEquals(1, reception.doWork());
        assertThrows(AgentTerminationException.class, reception::doWork);
    }

    @Test
    void givenGuestThatPollerDoesNotRelease_whenEndIsRequested_thenReceptionEndsAtLimit() {
        try (Client guest = new Client("a")) {
            assertNull(guest.enter().refusal());
            reception.leave();
            while (reception.doWork() > 0) {
                Thread.onSpinWait();
            }
            assertTrue(reception.mayPark());
            assertEquals(LEAVE_LIMIT_NS, reception.nanosUntilWork());
            nowNs += LEAVE_LIMIT_NS;
            AgentTerminationException end =
                    assertThrows(AgentTerminationException.class, reception::doWork);
            assertTrue(end.isExpected());
        }
    }

    @Test
    void givenEndingReception_whenClientConnects_thenClientIsRefused() {
        try (Client guest = new Client("a");
                Client late = new Client("b")) {
            assertNull(guest.enter().refusal());
            reception.leave();
            reception.doWork();
            late.hello();
            while (reception.doWork() > 0) {
                Thread.onSpinWait();
            }
            assertEquals("the backend is shutting down", late.answer().refusal());
            turnUntil(() -> !poller.hasGuests());
            assertThrows(AgentTerminationException.class, () -> turnUntil(() -> false));
        }
    }

    /// Tests that a guest's departure, which releases descriptors, is detected even if no
    /// descriptor is free.
    @Test
    void givenNoDescriptorForClient_whenGuestLeaves_thenClientIsAdmitted() {
        loadWhatFails();
        Client guest = new Client("a");
        assertNull(guest.enter().refusal());
        try (Client next = new Client("a")) {
            next.hello();
            try (DescriptorLimit _ = new DescriptorLimit()) {
                guest.close();
                for (int i = 0; i < TURNS; i++) {
                    turn();
                }
            }
            assertFalse(poller.hasGuests());
            assertTrue(reception.mayPark());
            assertEquals(PAUSE_NS, reception.nanosUntilWork());
            nowNs += PAUSE_NS;
            assertEquals(0, reception.nanosUntilWork(), "the pause ended before the thread parked");
            turnUntil(poller::hasGuests);
            assertNull(next.answer().refusal());
            assertEquals(3, places.getFirst().counters().get(PvCounter.CONNECTIONS));
        }
    }

    @Test
    void givenClientThatAcceptsNoDescriptors_whenHelloIsSent_thenNextClientIsAdmitted() {
        try (Client deaf = new Client("a")) {
            assumeTrue(PassedDescriptors.refuse(deaf.socket.descriptor()), "Linux before 6.16");
            deaf.hello();
            turnUntil(() -> places.getFirst().counters().get(PvCounter.CONNECTIONS) == 1);
            turnUntil(() -> !poller.hasGuests());
        }
        try (Client next = new Client("a")) {
            assertNull(next.enter().refusal());
        }
    }

    /// Runs the code of a guest's session and of a failed accept, so that the JVM loads the needed
    /// classes while descriptors are available.
    private void loadWhatFails() {
        try (Client first = new Client("a")) {
            first.enter();
        }
        turnUntil(() -> !poller.hasGuests());
        try (Client _ = new Client("a");
                DescriptorLimit _ = new DescriptorLimit()) {
            turn();
        } catch (LinuxException | NoClassDefFoundError _) {
            // The expected failure.
        }
        nowNs += PAUSE_NS;
        for (int i = 0; i < TURNS; i++) {
            turn();
        }
    }

    private void turn() {
        reception.doWork();
        poller.doWork();
    }

    private void turnUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            turn();
        }
    }

    private Path socket(String vm) {
        return folder.resolve(vm);
    }

    /// Client that sends a `Hello` and receives the answer.
    private final class Client implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final FdSocket socket;

        Client(String vm) {
            socket = FdSocket.connect(socket(vm));
        }

        void hello() {
            MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
            new Hello(AreaHeader.VERSION, 0).write(hello);
            assertEquals(Hello.BYTES, socket.send(hello, 0, Hello.BYTES));
        }

        /// Receives the pending answer, but not its descriptors.
        Welcome answer() {
            MemorySegment answer = arena.allocate(Welcome.BYTES, Long.BYTES);
            assertEquals(Welcome.BYTES, socket.receive(answer, 0, Welcome.BYTES));
            return Welcome.read(answer);
        }

        Welcome enter() {
            hello();
            turnUntil(poller::hasGuests);
            return answer();
        }

        @Override
        public void close() {
            socket.close();
            arena.close();
        }
    }
}
