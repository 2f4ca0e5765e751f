package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.memory.BusMemory;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.linux.FilePart;
import io.gpuvm.linux.FileSpace;
import io.gpuvm.linux.FileSpaceException;
import java.util.ArrayList;
import java.util.List;

/// Guest memory that is mapped to the guest's GPU, by guest-physical address. Confined to the
/// virtual machine's thread.
final class GuestRam implements BusMemory, AutoCloseable {
    private final FileSpace files = new FileSpace();

    /// Maps memory, as [io.gpuvm.gf100.device.GpuDevice#mapDma] does.
    void map(DmaMapping mapping) {
        try {
            files.map(part(mapping));
        } catch (FileSpaceException e) {
            throw new GpuDeviceException("DMA " + e.getMessage(), e);
        }
    }

    /// Maps memory, as [io.gpuvm.gf100.device.GpuDevice#mapDma(List, DmaRefusals)] does.
    void map(List<DmaMapping> mappings, DmaRefusals refusals) {
        List<FilePart> parts = new ArrayList<>(mappings.size());
        for (DmaMapping mapping : mappings) {
            parts.add(part(mapping));
        }
        files.map(
                parts,
                (index, why) ->
                        refusals.onRefused(
                                index, new GpuDeviceException("DMA " + why.getMessage(), why)));
    }

    void unmap(long guestPhysical, long bytes) {
        files.unmap(guestPhysical, bytes);
    }

    void unmap(List<DmaRange> ranges) {
        List<FileSpace.Extent> extents = new ArrayList<>(ranges.size());
        for (DmaRange range : ranges) {
            extents.add(new FileSpace.Extent(range.iova(), range.bytes()));
        }
        files.unmap(extents);
    }

    private static FilePart part(DmaMapping mapping) {
        return new FilePart(
                mapping.descriptor(),
                mapping.offset(),
                mapping.bytes(),
                mapping.iova(),
                mapping.writable());
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
