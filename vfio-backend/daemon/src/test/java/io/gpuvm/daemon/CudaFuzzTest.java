package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.cuda.HostileClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of hostile CUDA programs, and of an honest program of another virtual machine that must be
/// unaffected.
@Tag("soak")
class CudaFuzzTest {
    private static final int SESSIONS = 8;
    private static final int STEPS = 2_000;

    /// Unanswered calls from which a program waits.
    private static final int MOST_UNANSWERED = 200;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();

    @Test
    @Timeout(240)
    void givenHostilePrograms_whenCallsAreExecuted_thenNeighbourIsUnaffected() {
        fuzz(1);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8})
    @Timeout(240)
    void givenFurtherSeeds_whenCallsAreExecuted_thenNeighbourIsUnaffected(long seed) {
        fuzz(seed);
    }

    private void fuzz(long seed) {
        Random random = new Random(seed);
        try (Backend backend = start(seed % 2 == 0 ? ThreadMode.COMPACT : ThreadMode.SEPARATE);
                CudaProgram honest = CudaProgram.connect(socket("honest"))) {
            CudaProgram.Context context = honest.new Context(1);
            for (int i = 0; i < SESSIONS; i++) {
                harm(random, () -> context.compute(256, random.nextInt()));
            }
            BackendSummary.Vm hostile = backend.summary().vms().getFirst();
            await(() -> backend.summary().vms().getFirst().sessions().open() == 0);
            assertEquals(0, hostile.pv().get("dropped"));
            assertEquals(0, hostile.pv().get("violations"));
            try (CudaProgram next = CudaProgram.connect(socket("hostile"))) {
                next.new Context(1).compute(256, 1);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed=" + seed, e);
        }
        assertFalse(failed.get(), "a thread of the backend has ended");
    }

    /// Runs a hostile program, which ends its session with or without calls in flight.
    ///
    /// @param honest work of the honest program
    private void harm(Random random, Runnable honest) {
        try (CudaProgram program = CudaProgram.connect(socket("hostile"))) {
            HostileClient hostile =
                    new HostileClient(random, program.client, CudaProgram.cubin(), MOST_UNANSWERED);
            for (int i = 0; i < STEPS; i++) {
                hostile.step();
                if (random.nextInt(STEPS / 4) == 0) {
                    honest.run();
                }
            }
            if (random.nextBoolean()) {
                hostile.finish();
                assertTrue(hostile.succeeded() > STEPS / 100, "succeeded=" + hostile.succeeded());
            }
        }
    }

    private Backend start(ThreadMode threads) {
        return Backend.start(
                new BackendConfig(
                        GpuSpec.parse("soft,vram=256M,workers=1"),
                        List.of(vm("hostile"), vm("honest")),
                        IdleMode.BACKOFF,
                        Duration.ofSeconds(1),
                        null,
                        threads),
                () -> failed.set(true));
    }

    private VmConfig vm(String name) {
        return VmConfig.parse(
                "%s,mode=cuda,vram=64M,data=16M,socket=%s".formatted(name, socket(name)));
    }

    private Path socket(String name) {
        return folder.resolve(name);
    }

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT_NS, "sessions have not ended in time");
            Thread.onSpinWait();
        }
    }
}
