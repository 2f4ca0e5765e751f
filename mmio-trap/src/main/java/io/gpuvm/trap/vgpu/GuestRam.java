package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.memory.BusMemory;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.linux.FilePart;
import io.gpuvm.linux.FileSpace;
import io.gpuvm.linux.FileSpaceException;

/// The memory that a guest has given to its GPU, by guest-physical address. Confined to the virtual
/// machine's thread.
final class GuestRam implements BusMemory, AutoCloseable {
    private final FileSpace files = new FileSpace();

    /// See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    void map(DmaMapping mapping) {
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

    void unmap(long guestPhysical, long bytes) {
        files.unmap(guestPhysical, bytes);
    }

    @Override
    public boolean locate(long guestPhysical, HostSpan span) {
        int range = files.find(guestPhysical);
        if (range < 0) {
            span.nothing();
            return false;
        }
        span.found(
                files.segment(range),
                files.offset(range, guestPhysical),
                files.bytesFrom(range, guestPhysical),
                files.isWritable(range),
                files.isFragile(range));
        return true;
    }

    @Override
    public void close() {
        files.close();
    }
}
