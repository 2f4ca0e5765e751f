package io.gpuvm.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random accesses by a guest to registers and BARs. The results may be meaningless, but the GPU
/// responds, and a reset restores its initial state.
class RegisterFuzzTest {
    private static final int OPERATIONS = 50_000;
    private static final int[] DEFINED = RegisterMap.gf100().definedOffsets();
    private static final Bar[] BARS = Bar.values();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void givenKnownSeed_whenBarsAreAccessedAtRandom_thenGpuRespondsAndResets(long seed) {
        fuzz(seed);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void givenFreshSeed_whenBarsAreAccessedAtRandom_thenGpuRespondsAndResets() {
        fuzz(System.nanoTime());
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void givenEngineThread_whenBarsAreAccessedAtRandom_thenThreadsContinueAndGpuResets()
            throws InterruptedException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (SoftGpu gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M"))) {
            Thread engine =
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((_, e) -> failure.set(e))
                            .start(() -> runEngine(gpu, running));
            for (int i = 0; i < OPERATIONS; i++) {
                accessSomething(gpu, random);
            }
            gpu.reset();
            running.set(false);
            engine.join();
            assertAsNew(gpu);
        }
        assertNull(failure.get(), "seed=" + seed);
    }

    private static void runEngine(SoftGpu gpu, AtomicBoolean running) {
        while (running.get()) {
            if (gpu.doWork() == 0) {
                Thread.yield();
            }
        }
    }

    private static void fuzz(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (SoftGpu gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M"))) {
            for (int i = 0; i < OPERATIONS; i++) {
                if (random.nextInt(8) == 0) {
                    gpu.doWork();
                }
                accessSomething(gpu, random);
            }
            gpu.reset();
            while (gpu.doWork() != 0) {
                Thread.onSpinWait();
            }
            assertAsNew(gpu);
        } catch (RuntimeException | Error e) {
            fail("seed=" + seed, e);
        }
    }

    private static void assertAsNew(SoftGpu gpu) {
        assertEquals(0x0c0000a3, gpu.read(Bar.BAR0, Pmc.BOOT_0.offset(), Register.BYTES));
        assertEquals(0, gpu.read(Bar.BAR0, Pmc.ENABLE.offset(), Register.BYTES));
        assertEquals(0, gpu.read(Bar.BAR0, Pmc.INTR_HOST.offset(), Register.BYTES));
    }

    private static void accessSomething(SoftGpu gpu, SplittableRandom random) {
        int width = 1 << random.nextInt(4);
        Bar bar = random.nextInt(4) == 0 ? BARS[random.nextInt(BARS.length)] : Bar.BAR0;
        long offset = offset(gpu, bar, random) & -width;
        if (random.nextInt(8) < 3) {
            gpu.read(bar, offset, width);
        } else {
            gpu.write(bar, offset, width, value(random));
        }
    }

    private static long offset(SoftGpu gpu, Bar bar, SplittableRandom random) {
        long bytes = gpu.identity().bytesOf(bar);
        if (bar == Bar.BAR0 && random.nextInt(8) != 0) {
            return DEFINED[random.nextInt(DEFINED.length)];
        }
        return random.nextLong(bytes);
    }

    /// Returns a small number, a single bit, a page number with its enable bit, all ones, or a
    /// random value.
    private static long value(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(256);
            case 1 -> 1L << random.nextInt(32);
            case 2 -> 1L << 31 | random.nextInt(1 << 14);
            case 3 -> -1L;
            default -> random.nextLong();
        };
    }
}
