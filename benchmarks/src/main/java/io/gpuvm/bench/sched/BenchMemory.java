package io.gpuvm.bench.sched;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;

/// Memory of this process that is mapped for a GPU.
final class BenchMemory implements AutoCloseable {
    private static final long PAGE = 4096;

    private final MemFd file;
    private final MappedMemory mapping;

    /// @param least minimum size in bytes
    BenchMemory(GpuDevice gpu, long iova, long least) {
        long bytes = Math.ceilDiv(least, PAGE) * PAGE;
        file = MemFd.create("gpuvm-bench", bytes);
        mapping = MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
        gpu.mapDma(new DmaMapping(file.descriptor(), 0, bytes, iova, true));
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}
