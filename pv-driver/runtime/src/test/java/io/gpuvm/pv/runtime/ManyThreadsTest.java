package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of a context that many threads use, each with its own streams, memory and modules.
class ManyThreadsTest {
    private static final int THREADS = 8;
    private static final int MOST_WORDS = 40_000;

    @Test
    void givenOneContext_whenEightThreadsUseContext_thenResultsAreSeparate() throws Exception {
        run(Duration.ofSeconds(2));
    }

    @Test
    @Tag("long")
    void givenOneContext_whenEightThreadsUseContextForOneMinute_thenResultsAreSeparate()
            throws Exception {
        run(Duration.ofSeconds(60));
    }

    private static void run(Duration time) throws InterruptedException, ExecutionException {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        long deadline = System.nanoTime() + time.toNanos();
        try (TestContext gpu = new TestContext("workers=2,vram=256M");
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> users = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed + i);
                users.add(threads.submit(() -> use(gpu, random, deadline)));
            }
            for (Future<Integer> user : users) {
                assertTrue(user.get() > 0);
            }
        }
    }

    /// @return number of rounds
    private static int use(TestContext gpu, Random random, long deadline) {
        int rounds = 0;
        do {
            try (GpuStream one = gpu.context().newStream();
                    GpuStream two = gpu.context().newStream();
                    GpuEvent event = gpu.context().newEvent();
                    GpuModule module = gpu.load(Kernels.ADD)) {
                for (int i = 0; i < 5; i++) {
                    round(gpu.context(), one, two, event, module.kernel("add"), random);
                }
            }
            rounds++;
        } while (System.nanoTime() - deadline < 0);
        return rounds;
    }

    /// Runs some additions on one stream and a copy on another stream, then copies the result back
    /// to pageable or to pinned memory.
    private static void round(
            GpuContext context,
            GpuStream one,
            GpuStream two,
            GpuEvent event,
            GpuKernel add,
            Random random) {
        int words = 1 + random.nextInt(MOST_WORDS);
        int[] expected = random.ints(words).toArray();
        try (DeviceMemory first = context.allocate(4L * words);
                DeviceMemory second = context.allocate(4L * words);
                PinnedMemory pinned = context.allocatePinned(4L * words)) {
            one.copyToDevice(first, 0, MemorySegment.ofArray(expected));
            int threads = Math.min(words, 256);
            int touched = words / threads * threads;
            for (int i = random.nextInt(8); i > 0; i--) {
                int added = random.nextInt();
                one.launch(
                        add,
                        LaunchShape.of(words / threads, threads),
                        new Arguments().pointer(first).i32(added));
                for (int k = 0; k < touched; k++) {
                    expected[k] += added;
                }
            }
            one.record(event);
            two.await(event);
            two.copy(second, 0, first, 0, 4L * words);
            if (random.nextBoolean()) {
                int[] result = new int[words];
                two.copyToHost(MemorySegment.ofArray(result), second, 0);
                assertArrayEquals(expected, result);
            } else {
                two.copyToHost(pinned, 0, second, 0, 4L * words);
                two.synchronize();
                assertArrayEquals(expected, pinned.segment().toArray(ValueLayout.JAVA_INT));
            }
        }
    }
}
