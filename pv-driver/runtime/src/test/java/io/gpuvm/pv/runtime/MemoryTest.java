package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final long SEED = 7;

    private final TestContext gpu = new TestContext();
    private final GpuContext context = gpu.context();

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenPiecesOfAllSizes_whenAllocatedAndFreed_thenPiecesDoNotOverlap() {
        Random random = new Random(SEED);
        List<DeviceMemory> pieces = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            if (pieces.size() > 100 || !pieces.isEmpty() && random.nextInt(3) == 0) {
                pieces.remove(random.nextInt(pieces.size())).close();
            }
            DeviceMemory piece = context.allocate(1 + random.nextInt(1 << random.nextInt(19)));
            assertEquals(0, piece.gpuVa() % 256);
            for (DeviceMemory other : pieces) {
                boolean apart =
                        piece.gpuVa() + piece.bytes() <= other.gpuVa()
                                || other.gpuVa() + other.bytes() <= piece.gpuVa();
                assertEquals(true, apart, "seed=" + SEED + ", i=" + i);
            }
            pieces.add(piece);
        }
    }

    @Test
    void givenInvalidSizes_whenMemoryIsAllocated_thenAllocationIsRefused() {
        assertError(GpuError.INVALID_VALUE, () -> context.allocate(0), "bytes=0");
        assertError(GpuError.INVALID_VALUE, () -> context.allocatePinned(-1), "bytes=-1");
        assertError(GpuError.OUT_OF_MEMORY, () -> context.allocate(1L << 30));
        assertError(GpuError.OUT_OF_MEMORY, () -> context.allocate(Long.MAX_VALUE));
        assertError(GpuError.OUT_OF_MEMORY, () -> context.allocatePinned(Long.MAX_VALUE));
    }

    @Test
    void givenVramFreedDuringUse_whenSameAmountIsAllocated_thenAllocationSucceeds() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        for (int i = 0; i < 20; i++) {
            DeviceMemory large = context.allocate(40 << 20);
            gpu.stream().fill(large, 0, large.bytes(), i);
            Arguments arguments = new Arguments().pointer(large).i32(i);
            gpu.stream().launch(number, LaunchShape.of(8, 128), arguments);
            large.close();
        }
        context.synchronize();
    }

    @Test
    void givenThreadsThatShareVram_whenThreadsAllocateConcurrently_thenAllocationsSucceed()
            throws Exception {
        int users = 3;
        try (ExecutorService threads = Executors.newFixedThreadPool(users)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                all.add(threads.submit(this::allocateAndFree));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private void allocateAndFree() {
        try (GpuStream stream = context.newStream()) {
            for (int i = 0; i < 500; i++) {
                try (DeviceMemory third = context.allocate(20 << 20)) {
                    stream.fill(third, 0, 1 << 14, i % 100);
                }
            }
        }
    }

    @Test
    void givenKernelWithMoreLocalMemoryThanFreeVram_whenLaunched_thenEachThreadStoresOwnIndex() {
        String source = Kernels.LOCAL.replace("place, 64", "place, 16384");
        GpuKernel kernel = gpu.kernel("local", source);
        DeviceMemory out = context.allocate(1024 * 4);
        gpu.stream().launch(kernel, LaunchShape.of(16, 64), new Arguments().pointer(out));
        byte[] expected = new byte[1024 * 4];
        for (int i = 0; i < 1024; i++) {
            expected[4 * i] = (byte) i;
            expected[4 * i + 1] = (byte) (i >> 8);
        }
        assertArrayEquals(expected, gpu.read(out));
    }

    @Test
    void givenKernelWithMoreLocalMemoryThanVram_whenLaunched_thenErrorIsOutOfMemory() {
        String source = Kernels.LOCAL.replace("place, 64", "place, 524000");
        GpuKernel kernel = gpu.kernel("local", source);
        DeviceMemory out = context.allocate(4);
        assertError(
                GpuError.OUT_OF_MEMORY,
                () ->
                        gpu.stream()
                                .launch(
                                        kernel,
                                        LaunchShape.of(1, 1),
                                        new Arguments().pointer(out)));
        gpu.read(out);
    }
}
