package io.gpuvm.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A guest that writes anything anywhere: the GPU may do nonsense, but it answers, and it is as new
/// after a reset.
class RegisterFuzzTest {
    private static final int OPERATIONS = 50_000;
    private static final int[] DEFINED = RegisterMap.gf100().definedOffsets();
    private static final Bar[] BARS = Bar.values();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void givenAKnownSeed_whenRegistersAreWrittenAtRandom_thenTheGpuAnswersAndResets(long seed) {
        fuzz(seed);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void givenAFreshSeed_whenRegistersAreWrittenAtRandom_thenTheGpuAnswersAndResets() {
        fuzz(System.nanoTime());
    }

    private static void fuzz(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (SoftGpu gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M"))) {
            for (int i = 0; i < OPERATIONS; i++) {
                operation(gpu, random);
            }
            gpu.reset();
            while (gpu.doWork() != 0) {
                Thread.onSpinWait();
            }
            assertEquals(0x0c0000a3, gpu.read(Bar.BAR0, Pmc.BOOT_0.offset(), Register.BYTES));
            assertEquals(0, gpu.read(Bar.BAR0, Pmc.ENABLE.offset(), Register.BYTES));
            assertEquals(0, gpu.read(Bar.BAR0, Pmc.INTR_HOST.offset(), Register.BYTES));
        } catch (RuntimeException | Error e) {
            fail("seed=" + seed, e);
        }
    }

    private static void operation(SoftGpu gpu, SplittableRandom random) {
        int width = 1 << random.nextInt(4);
        Bar bar = random.nextInt(4) == 0 ? BARS[random.nextInt(BARS.length)] : Bar.BAR0;
        long offset = offset(gpu, bar, random) & -width;
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> gpu.read(bar, offset, width);
            case 3 -> gpu.doWork();
            default -> gpu.write(bar, offset, width, value(random));
        }
    }

    private static long offset(SoftGpu gpu, Bar bar, SplittableRandom random) {
        long bytes = gpu.identity().bytesOf(bar);
        if (bar == Bar.BAR0 && random.nextInt(8) != 0) {
            return DEFINED[random.nextInt(DEFINED.length)];
        }
        return random.nextLong(bytes);
    }

    /// Small numbers, enable bits, pages that exist, and noise.
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
