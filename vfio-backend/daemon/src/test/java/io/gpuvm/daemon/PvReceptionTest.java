package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import io.gpuvm.pv.remote.PvTransport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The reception of paravirtual guests, and their poller, on the test's thread and with its clock.
@Timeout(60)
class PvReceptionTest {
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    @TempDir private Path folder;

    private final AtomicBoolean failed = new AtomicBoolean();
    private long nowNs;
    private PvTransport guest;

    @AfterEach
    void close() {
        if (guest != null) {
            guest.close();
        }
    }

    @Test
    void givenNoGuest_whenItIsToEnd_thenItDoes() {
        try (PvPoller poller = new PvPoller();
                PvReception reception = new PvReception(poller, () -> nowNs)) {
            assertEquals(0, reception.doWork());
            assertEquals(Long.MAX_VALUE, reception.nanosUntilWork());
            reception.leave();
            assertEquals(1, reception.doWork());
            assertThrows(AgentTerminationException.class, reception::doWork);
        }
    }

    @Test
    void givenAGuestOfWhomThePollerDoesNotLetGo_whenAllAreToLeave_thenItEndsInTime()
            throws Exception {
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=64M,display=off"),
                        List.of(VmConfig.parse("guest,mode=pv,socket=" + socket())),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
        Runnable onFailure = () -> failed.set(true);
        try (HostGpu gpu = HostGpu.open(config.gpu(), onFailure);
                SharedGpu shared = new SharedGpu(gpu, config, onFailure);
                PvPoller poller = new PvPoller();
                PvReception reception = new PvReception(poller, () -> nowNs)) {
            reception.open(shared.addPv(config.vms().getFirst(), 0, poller::wake), socket());
            shared.start();
            CompletableFuture<PvTransport> connecting =
                    CompletableFuture.supplyAsync(() -> PvTransport.connect(socket()));
            while (!connecting.isDone()) {
                reception.doWork();
                poller.doWork();
            }
            guest = connecting.get();
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
        assertFalse(failed.get());
    }

    private Path socket() {
        return folder.resolve("guest");
    }
}
