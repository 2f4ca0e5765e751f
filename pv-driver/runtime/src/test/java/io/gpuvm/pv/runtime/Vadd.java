package io.gpuvm.pv.runtime;

import java.lang.foreign.MemorySegment;

/// Example in docs/runtime.md.
final class Vadd {
    private static final int THREADS = 256;

    private Vadd() {}

    static float[] add(GpuContext gpu, byte[] cubin, float[] a, float[] b) {
        long bytes = (long) a.length * Float.BYTES;
        try (GpuModule module = gpu.load(cubin);
                GpuStream stream = gpu.newStream();
                DeviceMemory first = gpu.allocate(bytes);
                DeviceMemory second = gpu.allocate(bytes);
                DeviceMemory sum = gpu.allocate(bytes)) {
            stream.copyToDevice(first, 0, MemorySegment.ofArray(a));
            stream.copyToDevice(second, 0, MemorySegment.ofArray(b));
            stream.launch(
                    module.kernel("vadd"),
                    LaunchShape.of((a.length + THREADS - 1) / THREADS, THREADS),
                    new Arguments().pointer(first).pointer(second).pointer(sum).i32(a.length));
            float[] result = new float[a.length];
            stream.copyToHost(MemorySegment.ofArray(result), sum, 0);
            return result;
        }
    }
}
