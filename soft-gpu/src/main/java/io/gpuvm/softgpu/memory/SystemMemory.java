package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.memory.BusMemory;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.linux.FilePart;
import io.gpuvm.linux.FileSpace;
import io.gpuvm.linux.FileSpaceException;

/// The host memory that the GPU may reach: parts of files, by address on its bus.
///
/// Mapping and unmapping belong to the register thread, while the engines are held; lookups may
/// come from either thread otherwise.
public final class SystemMemory implements BusMemory, AutoCloseable {
    private final FileSpace files = new FileSpace();

    /// See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    public void map(DmaMapping mapping) {
        try {
            files.map(
                    new FilePart(
                            mapping.descriptor(),
                            mapping.offset(),
                            mapping.bytes(),
                            mapping.iova(),
                            mapping.writable()));
        } catch (FileSpaceException e) {
            throw new GpuDeviceException("dma " + e.getMessage(), e);
        }
    }

    /// See [io.gpuvm.gf100.device.GpuDevice#unmapDma].
    public void unmap(long iova, long bytes) {
        files.unmap(iova, bytes);
    }

    @Override
    public boolean locate(long iova, HostSpan span) {
        int range = files.find(iova);
        if (range < 0) {
            span.nothing();
            return false;
        }
        span.found(
                files.segment(range),
                files.offset(range, iova),
                files.bytesFrom(range, iova),
                files.isWritable(range),
                files.isFragile(range));
        return true;
    }

    /// What is mapped.
    public FileSpace files() {
        return files;
    }

    @Override
    public void close() {
        files.close();
    }
}
