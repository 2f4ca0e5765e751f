package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Copy of the process's pageable memory to the GPU, and back to other memory.
final class PageableCopy implements Workload {
    /// Permitted sizes; the usual size is that of the GPUvm paper.
    static final WorkloadSize SIZE = new WorkloadSize("bytes", 1, 64 << 20, 1 << 30);

    @Override
    public String name() {
        return "cpy";
    }

    @Override
    public String summary() {
        return "copies pageable memory to the GPU and back: the transfer with its staging";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), seed);
    }

    /// Returns the input of the copy.
    static byte[] input(int size, long seed) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static final class Run extends GpuRun {
        private final byte[] input;
        private final byte[] result;
        private DeviceMemory device;

        Run(GpuContext context, int size, long seed) {
            super(context);
            input = input(size, seed);
            result = new byte[size];
        }

        @Override
        public void initialize() {
            device = allocate(input.length);
        }

        @Override
        public void copyIn() {
            stream().copyToDevice(device, 0, MemorySegment.ofArray(input));
            stream().synchronize();
        }

        @Override
        public void launch() {}

        @Override
        public void copyOut() {
            stream().copyToHost(MemorySegment.ofArray(result), device, 0);
        }

        @Override
        public void verify() {
            Results.requireEqual(
                    "copy", MemorySegment.ofArray(result), MemorySegment.ofArray(input));
        }

        @Override
        public Work work() {
            return new Work(input.length, result.length, 0, 0, "op");
        }
    }
}
