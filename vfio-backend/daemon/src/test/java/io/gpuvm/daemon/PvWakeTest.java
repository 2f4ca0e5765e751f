package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.daemon.HostileWakeLines.Harm;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of a guest that abuses the wake lines against the host. One poller serves all guests, so a
/// blocked poller would stop all guests.
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PvWakeTest {
    private static final int REQUESTS = 200;
    private static final int ROUNDS = 2;
    private static final int SEED = 1;

    @TempDir private Path folder;

    static Stream<Arguments> harms() {
        return Stream.of(ThreadMode.values())
                .flatMap(threads ->
                        Stream.of(Harm.values()).map(harm -> Arguments.of(harm, threads)));
    }

    @ParameterizedTest
    @MethodSource("harms")
    void givenGuestThatAbusesWakeLines_whenOtherGuestWorks_thenOtherGuestIsUnaffected(
            Harm harm, ThreadMode threads) {
        AtomicBoolean failed = new AtomicBoolean();
        Backend backend = Backend.start(config(threads), () -> failed.set(true));
        Random random = new Random(SEED);
        try (HonestPvGuest honest = HonestPvGuest.start(socket("honest"), random.nextLong())) {
            honest.awaitRound();
            for (int i = 0; i < ROUNDS; i++) {
                try (HostilePvGuest hostile =
                        new HostilePvGuest(socket("hostile"), random, new ArrayList<>())) {
                    hostile.askToBeWoken(REQUESTS);
                    hostile.harm(harm);
                    hostile.askToBeWoken(REQUESTS);
                    honest.awaitRound();
                }
            }
        }
        assertAsNew(socket("hostile"));
        // Not closed by a finally block, which would wait indefinitely for a blocked poller.
        backend.close();
        assertFalse(failed.get(), "a thread of the backend has ended");
    }

    private static void assertAsNew(Path socket) {
        try (PvTransport next = PvTransport.connect(socket);
                GpuChannel channel = next.openChannel();
                GpuMemory all = next.allocateVram(next.limits().vramBytes())) {
            assertEquals(next.limits().vramBytes(), all.bytes());
            assertNull(channel.failure());
        }
    }

    private BackendConfig config(ThreadMode threads) {
        List<VmConfig> vms =
                Stream.of("honest", "hostile")
                        .map(name ->
                                VmConfig.parse(
                                        "%s,mode=pv,vram=64M,data=16M,socket=%s"
                                                .formatted(name, socket(name))))
                        .toList();
        return new BackendConfig(
                GpuSpec.parse("soft,vram=128M,workers=1"),
                vms,
                IdleMode.BACKOFF,
                Duration.ofSeconds(2),
                null,
                threads);
    }

    private Path socket(String name) {
        return folder.resolve(name);
    }
}
