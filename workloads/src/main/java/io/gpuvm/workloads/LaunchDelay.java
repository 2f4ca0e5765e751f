package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;

/// Queue delays: times from the submission of an empty kernel to an idle GPU until the program
/// detects the completion.
public final class LaunchDelay {
    /// Number of launches before the measured launches, so that all code of the path is
    /// initialized.
    static final int WARM_UP = 20;

    private LaunchDelay() {}

    /// Launches an empty kernel repeatedly, each time after the end of the previous launch.
    ///
    /// @return delay of each measured launch, in nanoseconds
    public static long[] measure(GpuContext context, int count) {
        try (GpuModule module = context.load(KernelSource.assembled("nop"))) {
            GpuKernel kernel = module.kernel("nop");
            GpuStream stream = context.defaultStream();
            for (int i = 0; i < WARM_UP; i++) {
                launch(stream, kernel);
            }
            long[] ns = new long[count];
            for (int i = 0; i < count; i++) {
                ns[i] = launch(stream, kernel);
            }
            return ns;
        }
    }

    private static long launch(GpuStream stream, GpuKernel kernel) {
        long startNs = System.nanoTime();
        stream.launch(kernel, LaunchShape.of(1, 1), new Arguments());
        stream.synchronize();
        return System.nanoTime() - startNs;
    }
}
