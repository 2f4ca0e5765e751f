package io.gpuvm.daemon;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;

/// Page of host memory for the runlist of a shared GPU, mapped for the GPU.
final class SharedRunlist implements AutoCloseable {
    /// Size in bytes, in memory and in bus addresses.
    static final long PAGE_BYTES = 4096;

    private final GpuDevice gpu;
    private final long iova;
    private final MemFd file;
    private final MappedMemory mapping;

    private SharedRunlist(GpuDevice gpu, long iova, MemFd file, MappedMemory mapping) {
        this.gpu = gpu;
        this.iova = iova;
        this.file = file;
        this.mapping = mapping;
    }

    /// @param iova bus address of the page
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the page cannot be mapped for the GPU
    static SharedRunlist open(GpuDevice gpu, long iova) {
        MemFd file = MemFd.create("gpuvm-runlist", PAGE_BYTES);
        MappedMemory mapping = null;
        try {
            mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, PAGE_BYTES, MappedMemory.Access.READ_WRITE);
            gpu.mapDma(new DmaMapping(file.descriptor(), 0, PAGE_BYTES, iova, true));
            return new SharedRunlist(gpu, iova, file, mapping);
        } catch (RuntimeException | Error e) {
            if (mapping != null) {
                mapping.close();
            }
            file.close();
            throw e;
        }
    }

    MemorySegment memory() {
        return mapping.segment();
    }

    /// Releases the page. Called after the GPU has stopped using it.
    @Override
    public void close() {
        gpu.unmapDma(iova, PAGE_BYTES);
        mapping.close();
        file.close();
    }
}
