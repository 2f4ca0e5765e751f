package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Tests that each thread receives the same error if a context ends while many threads use it.
class EndingTest {
    private static final int THREADS = 6;
    private static final int ROUNDS = 12;
    private static final int BYTES = 1 << 20;

    @Test
    void givenWorkingThreads_whenContextIsClosed_thenEachThreadReceivesError() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            end(GpuError.INVALID_HANDLE, gpu -> gpu.context().close());
        }
    }

    @Test
    void givenWorkingThreads_whenKernelFails_thenEachThreadReceivesError() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            end(
                    GpuError.LAUNCH_FAILED,
                    gpu -> {
                        GpuKernel poke = gpu.kernel("poke", Kernels.POKE);
                        Arguments arguments = new Arguments().i64(Kernels.NOWHERE);
                        gpu.stream().launch(poke, LaunchShape.of(1, 1), arguments);
                    });
        }
    }

    private interface Ending {
        void of(TestContext gpu);
    }

    private static void end(GpuError error, Ending ending) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        try (TestContext gpu = new TestContext("workers=1");
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            GpuKernel add = gpu.kernel("add", Kernels.ADD);
            CountDownLatch started = new CountDownLatch(THREADS);
            List<Future<GpuException>> users = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long own = random.nextLong();
                users.add(threads.submit(() -> useUntilItEnds(gpu, add, new Random(own), started)));
            }
            started.await();
            // The context ends at random points of the threads' work.
            LockSupport.parkNanos(random.nextInt(1_000_000));
            ending.of(gpu);
            for (Future<GpuException> user : users) {
                GpuException e = user.get();
                assertEquals(error, e.error(), e.getMessage());
            }
        }
    }

    /// Uses the context repeatedly, until a call fails.
    private static GpuException useUntilItEnds(
            TestContext gpu, GpuKernel add, Random random, CountDownLatch started) {
        GpuContext context = gpu.context();
        return assertThrows(
                GpuException.class,
                () -> {
                    for (int i = 0; true; i++) {
                        try (GpuStream stream = context.newStream();
                                GpuEvent event = context.newEvent();
                                PinnedMemory pinned = context.allocatePinned(BYTES);
                                DeviceMemory memory = context.allocate(BYTES)) {
                            use(context, stream, event, pinned, memory, add, random);
                            if (i == 0) {
                                started.countDown();
                            }
                        }
                    }
                });
    }

    private static void use(
            GpuContext context,
            GpuStream stream,
            GpuEvent event,
            PinnedMemory pinned,
            DeviceMemory memory,
            GpuKernel add,
            Random random) {
        MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
        for (int n = 0; n < 8; n++) {
            switch (random.nextInt(7)) {
                case 0 -> stream.copyToDevice(memory, 0, heap);
                case 1 -> stream.copyToHost(heap, memory, 0);
                case 2 -> stream.copyToHost(pinned, 0, memory, 0, BYTES);
                case 3 -> {
                    Arguments arguments = new Arguments().pointer(memory).i32(n);
                    stream.launch(add, LaunchShape.of(4, 64), arguments);
                }
                case 4 -> {
                    stream.record(event);
                    context.defaultStream().await(event);
                    event.synchronize();
                }
                case 5 -> stream.fill(memory, 0, BYTES, n);
                default -> stream.synchronize();
            }
        }
    }
}
