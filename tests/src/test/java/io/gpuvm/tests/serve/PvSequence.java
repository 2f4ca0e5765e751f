package io.gpuvm.tests.serve;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Program that detects lost, repeated and reordered launches of the runtime, as
/// `tests/cuda-clients/programs/c/sequence.c` does for CUDA. Each launch replaces each number x of
/// a counter by x * factor + n, where n is the number of the launch. Copies of random bytes in both
/// directions are between the launches. The program prints the number of launches, or ends with an
/// exception.
///
/// Arguments: socket of a backend, folder with `clients.cubin`, seconds, seed.
final class PvSequence {
    private static final int ELEMENTS = 1024;
    private static final int THREADS = 256;
    private static final int MOST_LAUNCHES = 64;
    private static final int MOST_BYTES = 1 << 18;

    /// Value of the module's variable `factor`. It is odd: with an even one, later launches would
    /// shift the results of earlier ones out.
    private static final int FACTOR = 1_664_525;

    private PvSequence() {}

    public static void main(String[] arguments) throws Exception {
        byte[] cubin = Files.readAllBytes(Path.of(arguments[1], "clients.cubin"));
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.parseInt(arguments[2]));
        Random random = new Random(Long.parseLong(arguments[3]));
        try (GpuContext gpu = GpuContext.open(PvTransport.connect(Path.of(arguments[0])));
                GpuModule module = gpu.load(cubin);
                GpuStream stream = gpu.newStream();
                DeviceMemory counter = gpu.allocate(ELEMENTS * Integer.BYTES);
                DeviceMemory memory = gpu.allocate(MOST_BYTES)) {
            GpuKernel scale = module.kernel("scale");
            stream.copyToDevice(
                    module.variable("factor"), 0, MemorySegment.ofArray(new int[] {FACTOR}));
            int[] expected = new int[ELEMENTS];
            stream.copyToDevice(counter, 0, MemorySegment.ofArray(expected));
            int launches = 0;
            int rounds = 0;
            while (System.nanoTime() - endNs < 0) {
                for (int left = 1 + random.nextInt(MOST_LAUNCHES); left > 0; left--) {
                    launches++;
                    stream.launch(
                            scale,
                            LaunchShape.of(ELEMENTS / THREADS, THREADS),
                            new Arguments().pointer(counter).i32(ELEMENTS).i32(launches));
                    for (int i = 0; i < ELEMENTS; i++) {
                        expected[i] = expected[i] * FACTOR + launches;
                    }
                }
                copy(stream, memory, random);
                int[] found = new int[ELEMENTS];
                stream.copyToHost(MemorySegment.ofArray(found), counter, 0);
                require(
                        Arrays.equals(found, expected),
                        "counter after %d launches: found=%d expected=%d"
                                .formatted(launches, found[0], expected[0]));
                rounds++;
            }
            System.out.printf("passed: rounds=%d, launches=%d%n", rounds, launches);
        }
    }

    private static void copy(GpuStream stream, DeviceMemory memory, Random random) {
        byte[] bytes = new byte[Integer.BYTES * (1 + random.nextInt(MOST_BYTES / Integer.BYTES))];
        random.nextBytes(bytes);
        byte[] back = new byte[bytes.length];
        stream.copyToDevice(memory, 0, MemorySegment.ofArray(bytes));
        stream.copyToHost(MemorySegment.ofArray(back), memory, 0);
        require(Arrays.equals(bytes, back), "copy of %d bytes".formatted(bytes.length));
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what + " is wrong");
        }
    }
}
