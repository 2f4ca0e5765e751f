package io.gpuvm.pv.runtime;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.statistics.Samples;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Rates of copies to the GPU and back, compared with a copy of the same length in this process.
///
/// All kinds of copies alternate in each round, and the result is the median of the rounds' ratios,
/// since the machine's speed varies between rounds. Run `main` with the JVM flags of the tests;
/// optional arguments are the size in MiB and the number of rounds.
final class CopyRateBench implements AutoCloseable {
    private static final int DEFAULT_MIB = 64;
    private static final int DEFAULT_ROUNDS = 21;
    private static final int WARM_UP_ROUNDS = 3;
    private static final String PLAIN = "MemorySegment.copy";

    private final RunningGpu gpu = new RunningGpu("vram=512M,workers=2");
    private final GpuContext context = GpuContext.open(NativeTransport.open(gpu.device()));
    private final GpuStream stream = context.defaultStream();
    private final Arena arena = Arena.ofShared();
    private final Map<String, Runnable> ways = new LinkedHashMap<>();
    private final long bytes;

    private CopyRateBench(long bytes) {
        this.bytes = bytes;
        MemorySegment source = arena.allocate(bytes, Long.BYTES).fill((byte) 1);
        MemorySegment target = arena.allocate(bytes, Long.BYTES).fill((byte) 2);
        PinnedMemory pinned = context.allocatePinned(bytes);
        pinned.segment().fill((byte) 3);
        DeviceMemory device = context.allocate(bytes);
        DeviceMemory other = context.allocate(bytes);
        ways.put(PLAIN, () -> MemorySegment.copy(source, 0, target, 0, bytes));
        ways.put("pinned to device", () -> stream.copyToDevice(device, 0, pinned, 0, bytes));
        ways.put("device to pinned", () -> stream.copyToHost(pinned, 0, device, 0, bytes));
        ways.put("pageable to device", () -> stream.copyToDevice(device, 0, source));
        ways.put("device to pageable", () -> stream.copyToHost(target, device, 0));
        ways.put("device to device", () -> stream.copy(other, 0, device, 0, bytes));
        ways.put("fill", () -> stream.fill(device, 0, bytes, 0));
    }

    public static void main(String[] arguments) {
        long mib = arguments.length > 0 ? Long.parseLong(arguments[0]) : DEFAULT_MIB;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_ROUNDS;
        try (CopyRateBench bench = new CopyRateBench(mib << 20)) {
            bench.measure(WARM_UP_ROUNDS);
            bench.print(bench.measure(rounds));
        }
    }

    @Override
    public void close() {
        context.close();
        gpu.close();
        arena.close();
    }

    private Map<String, double[]> measure(int rounds) {
        Map<String, double[]> times = new LinkedHashMap<>();
        ways.keySet().forEach(way -> times.put(way, new double[rounds]));
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Runnable> way : ways.entrySet()) {
                long start = System.nanoTime();
                way.getValue().run();
                stream.synchronize();
                times.get(way.getKey())[round] = System.nanoTime() - start;
            }
        }
        return times;
    }

    private void print(Map<String, double[]> times) {
        double[] plain = times.get(PLAIN);
        System.out.printf("%d MiB, %d rounds, median%n", bytes >> 20, plain.length);
        times.forEach((way, ns) -> {
            double[] ratios = new double[ns.length];
            Arrays.setAll(ratios, round -> plain[round] / ns[round]);
            System.out.printf(
                    "%-20s %6.2f GB/s (best %.2f)  ratio %.2f (%.2f to %.2f)%n",
                    way,
                    bytes / Samples.of(ns).median(),
                    bytes / Samples.of(ns).least(),
                    Samples.of(ratios).median(),
                    Samples.of(ratios).quantile(0.25),
                    Samples.of(ratios).quantile(0.75));
        });
    }
}
