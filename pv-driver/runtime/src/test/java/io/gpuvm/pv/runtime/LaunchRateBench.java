package io.gpuvm.pv.runtime;

import io.gpuvm.statistics.Samples;

/// Rate of launches of an empty kernel: with as many launches in flight as possible, and with one.
///
/// Run `main` with the JVM flags of the tests; optional arguments are the number of launches per
/// round and the number of rounds.
final class LaunchRateBench {
    private static final int DEFAULT_LAUNCHES = 50_000;
    private static final int DEFAULT_ROUNDS = 11;
    private static final int WARM_UP_ROUNDS = 3;

    private LaunchRateBench() {}

    public static void main(String[] arguments) {
        int launches = arguments.length > 0 ? Integer.parseInt(arguments[0]) : DEFAULT_LAUNCHES;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_ROUNDS;
        try (TestContext gpu = new TestContext()) {
            GpuKernel nop = gpu.kernel("nop", Kernels.NOP);
            double[] together = new double[rounds];
            double[] alone = new double[rounds];
            for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                double one = nanosOfLaunch(gpu.stream(), nop, launches, false);
                double other = nanosOfLaunch(gpu.stream(), nop, launches / 10, true);
                if (round >= 0) {
                    together[round] = one;
                    alone[round] = other;
                }
            }
            print("many in flight", together);
            print("one at a time", alone);
        }
    }

    private static double nanosOfLaunch(
            GpuStream stream, GpuKernel kernel, int launches, boolean waiting) {
        LaunchShape shape = LaunchShape.of(1, 1);
        Arguments arguments = new Arguments();
        long start = System.nanoTime();
        for (int i = 0; i < launches; i++) {
            stream.launch(kernel, shape, arguments);
            if (waiting) {
                stream.synchronize();
            }
        }
        stream.synchronize();
        return (double) (System.nanoTime() - start) / launches;
    }

    private static void print(String how, double[] nanos) {
        Samples samples = Samples.of(nanos);
        System.out.printf(
                "%-20s %7.2f us per launch (%.2f to %.2f)%n",
                how, samples.median() / 1e3, samples.least() / 1e3, samples.most() / 1e3);
    }
}
