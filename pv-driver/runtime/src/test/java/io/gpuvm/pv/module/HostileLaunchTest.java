package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.tests.gpu.RunningGpu;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of launches of kernels from damaged files. The program receives results or an error, and
/// the GPU serves the next program.
class HostileLaunchTest {
    private static final int QUICK_FILES = 60;
    private static final int LONG_FILES = 2_000;
    private static final int THREADS = 32;

    private int launched;
    private int refused;

    @Test
    void givenDamagedFiles_whenLaunched_thenGpuServesNextProgram() {
        launch(QUICK_FILES);
    }

    @Test
    @Tag("long")
    void givenManyDamagedFiles_whenLaunched_thenGpuServesNextProgram() {
        launch(LONG_FILES);
    }

    private void launch(int files) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = ForeignLaunchTest.file().build();
        try (RunningGpu gpu = new RunningGpu("watchdog=0.01")) {
            for (int i = 0; i < files; i++) {
                byte[] changed = whole.clone();
                for (int n = 1 + random.nextInt(3); n > 0; n--) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                }
                try {
                    launch(gpu, changed);
                } catch (RuntimeException | Error e) {
                    throw new AssertionError("seed=" + seed + ", file=" + i, e);
                }
            }
            launched = 0;
            launch(gpu, whole);
        }
        assertTrue(launched == 1 && refused > 0, "seed=" + seed + ", refused=" + refused);
    }

    private void launch(RunningGpu gpu, byte[] file) {
        try (GpuContext context = GpuContext.open(NativeTransport.open(gpu.device()))) {
            GpuStream stream = context.defaultStream();
            DeviceMemory out = context.allocate(THREADS * Integer.BYTES);
            for (GpuKernel kernel : context.load(file).kernels()) {
                stream.launch(kernel, LaunchShape.of(2, THREADS), new Arguments().pointer(out));
            }
            stream.synchronize();
            launched++;
        } catch (GpuException _) {
            refused++;
        }
    }
}
