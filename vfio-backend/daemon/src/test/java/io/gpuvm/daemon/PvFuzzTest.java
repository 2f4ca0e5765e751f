package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Poller;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvCounter;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of malicious guests, and of an honest neighbour that must be unaffected.
@Tag("soak")
class PvFuzzTest {
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(30);
    private static final int SEED_STEPS = 20_000;
    private static final int HOSTILE = 2;
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(2);

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final List<PvPlace> places = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @Timeout(120)
    void givenHostileGuests_whenRandomActionsAreExecuted_thenNeighbourIsUnaffected(long seed) {
        fuzz(seed, SEED_STEPS);
    }

    @Test
    @Tag("long")
    void givenHostileGuests_whenRandomActionsAreExecutedForLongTime_thenNeighbourIsUnaffected() {
        long start = System.nanoTime();
        for (long seed = 1000; System.nanoTime() - start < LONG_NS; seed++) {
            fuzz(seed, 10 * SEED_STEPS);
        }
    }

    private void fuzz(long seed, int steps) {
        ThreadMode threads = seed % 2 == 0 ? ThreadMode.COMPACT : ThreadMode.SEPARATE;
        BackendConfig config = config(threads);
        boolean compact = threads == ThreadMode.COMPACT;
        places.clear();
        Runnable onFailure = () -> failed.set(true);
        try (HostGpu gpu =
                        compact
                                ? HostGpu.openIdle(config.gpu(), onFailure)
                                : HostGpu.open(config.gpu(), onFailure);
                SharedGpu shared = new SharedGpu(gpu, config, onFailure)) {
            PvService service = new PvService(config, shared.parking(), onFailure);
            try {
                for (int slot = 0; slot < config.vms().size(); slot++) {
                    VmConfig vm = config.vms().get(slot);
                    PvPlace place = shared.addPv(vm, PlaceKind.COMMANDS, slot, service::wakePoller);
                    places.add(place);
                    service.open(place, vm.socket(), vm.access());
                }
                List<Passenger> passengers = new ArrayList<>();
                if (compact) {
                    gpu.engines(shared.parking())
                            .ifPresent(
                                    engines -> passengers.add(new Passenger(engines, Poller.NONE)));
                    passengers.add(service.passenger(shared::isAsked));
                }
                shared.start(passengers);
                service.start();
                harm(new Random(seed), steps);
            } finally {
                service.close();
            }
            assertFalse(failed.get(), "a thread of the backend has ended");
            for (PvPlace place : places) {
                assertEquals(0, place.arena().usedBytes(), place.name());
                assertEquals(0, place.counters().get(PvCounter.DROPPED), place.name());
                long commands = place.counters().get(PvCounter.COMMANDS);
                long failures = place.counters().get(PvCounter.FAILED_COMMANDS);
                assertTrue(commands > failures, place.name());
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }

    private void harm(Random random, int steps) {
        long contents = random.nextLong();
        HonestPvGuest honest = HonestPvGuest.start(socket(0), contents);
        HostilePvGuest[] guests = new HostilePvGuest[HOSTILE];
        List<Integer> handles = new ArrayList<>();
        try {
            for (int i = 0; i < steps; i++) {
                int which = random.nextInt(HOSTILE);
                if (guests[which] == null) {
                    if (random.nextInt(4) == 0) {
                        HostilePvGuest.knock(socket(1 + which), random);
                    }
                    guests[which] = new HostilePvGuest(socket(1 + which), random, handles);
                }
                guests[which].step();
                if (random.nextInt(300) == 0) {
                    guests[which].close();
                    guests[which] = null;
                }
            }
        } finally {
            for (HostilePvGuest guest : guests) {
                if (guest != null) {
                    guest.close();
                }
            }
            honest.close();
        }
        for (int i = 1; i <= HOSTILE; i++) {
            assertAsNew(socket(i));
        }
    }

    /// Asserts that the next guest after a hostile guest can use all resources.
    private static void assertAsNew(Path socket) {
        try (PvTransport next = PvTransport.connect(socket);
                GpuChannel channel = next.openChannel();
                GpuMemory all = next.allocateVram(next.limits().vramBytes())) {
            assertEquals(next.limits().vramBytes(), all.bytes());
            assertNull(channel.failure());
        }
    }

    private BackendConfig config(ThreadMode threads) {
        List<VmConfig> vms = new ArrayList<>();
        vms.add(VmConfig.parse("honest,mode=pv,vram=64M,data=16M,socket=" + socket(0)));
        for (int i = 1; i <= HOSTILE; i++) {
            vms.add(
                    VmConfig.parse(
                            "hostile%d,mode=pv,vram=64M,data=4M,handles=64,spaces=4,waits=8,socket=%s"
                                    .formatted(i, socket(i))));
        }
        return new BackendConfig(
                GpuSpec.parse("soft,vram=256M,workers=1"),
                vms,
                IdleMode.BACKOFF,
                COMMAND_LIMIT,
                null,
                threads);
    }

    private Path socket(int number) {
        return folder.resolve("guest" + number);
    }
}
