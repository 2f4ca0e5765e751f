package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.PinnedMemory;
import java.util.concurrent.TimeUnit;

/// Synthetic program whose share of transfers is adjustable: it copies half of its bytes to the
/// GPU, computes for a given time of the GPU's clock, and copies the bytes back.
public final class TransferProgram {
    private TransferProgram() {}

    /// Runs the program once, and checks the bytes that return.
    ///
    /// @param bytes bytes that it copies in both directions together, at least 2
    /// @param computeUs GPU time of its kernel, in microseconds; 0 for no kernel
    /// @return duration from the first submission until the program has seen the end, in
    ///   nanoseconds; the allocation of memory is not included
    /// @throws WrongResultException if a byte has changed
    public static long measure(GpuContext context, long bytes, int computeUs) {
        long half = bytes / 2;
        try (GpuModule module = context.load(Spin.cubin());
                PinnedMemory source = context.allocatePinned(half);
                PinnedMemory target = context.allocatePinned(half);
                DeviceMemory device = context.allocate(half);
                DeviceMemory notes = context.allocate(SpinNotes.BYTES)) {
            source.segment().fill((byte) 1);
            target.segment().fill((byte) 0);
            GpuKernel kernel = module.kernel("spin");
            GpuStream stream = context.defaultStream();
            int lengthNs = (int) TimeUnit.MICROSECONDS.toNanos(computeUs);
            long startNs = System.nanoTime();
            stream.copyToDevice(device, 0, source, 0, half);
            if (computeUs > 0) {
                stream.launch(
                        kernel, Spin.ONE_THREAD, new Arguments().pointer(notes).i32(lengthNs));
            }
            stream.copyToHost(target, 0, device, 0, half);
            stream.synchronize();
            long ns = System.nanoTime() - startNs;
            Results.requireEqual(
                    "transfer",
                    target.segment().asSlice(0, half),
                    source.segment().asSlice(0, half));
            return ns;
        }
    }
}
