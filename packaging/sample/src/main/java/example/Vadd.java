package example;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Adds two vectors on the GPU of the backend whose socket GPUVM_SOCKET names, with a kernel in PTX (docs/examples/vadd.ptx).
public final class Vadd {
    private static final int THREADS = 256;
    private static final int LENGTH = 1000;

    private Vadd() {}

    /// @param args file of the kernel
    public static void main(String[] args) throws Exception {
        float[] a = new float[LENGTH];
        float[] b = new float[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            a[i] = i;
            b[i] = 2 * i;
        }
        float[] sum = new float[LENGTH];
        long bytes = (long) LENGTH * Float.BYTES;
        try (GpuContext gpu = GpuContext.open(PvTransport.connect());
                GpuModule module = gpu.load(Files.readAllBytes(Path.of(args[0])));
                GpuStream stream = gpu.newStream();
                DeviceMemory first = gpu.allocate(bytes);
                DeviceMemory second = gpu.allocate(bytes);
                DeviceMemory third = gpu.allocate(bytes)) {
            stream.copyToDevice(first, 0, MemorySegment.ofArray(a));
            stream.copyToDevice(second, 0, MemorySegment.ofArray(b));
            stream.launch(
                    module.kernel("vadd"),
                    LaunchShape.of((LENGTH + THREADS - 1) / THREADS, THREADS),
                    new Arguments().pointer(first).pointer(second).pointer(third).i32(LENGTH));
            stream.copyToHost(MemorySegment.ofArray(sum), third, 0);
        }
        for (int i = 0; i < LENGTH; i++) {
            if (sum[i] != a[i] + b[i]) {
                throw new AssertionError("element " + i + ": " + sum[i] + ", expected " + (a[i] + b[i]));
            }
        }
        System.out.println("verified " + LENGTH + " sums");
    }
}
