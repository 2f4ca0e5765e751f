package io.gpuvm.softgpu.memory;

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

/// Host memory that the GPU may access: parts of files, by bus address.
///
/// Only the register thread maps and unmaps memory, with the engines held; at other times, the
/// engine thread and the register thread may look up addresses.
public final class SystemMemory implements BusMemory, AutoCloseable {
    private final FileSpace files = new FileSpace();

    /// Maps memory; see [io.gpuvm.gf100.device.GpuDevice#mapDma].
    public void map(DmaMapping mapping) {
        try {
            files.map(part(mapping));
        } catch (FileSpaceException e) {
            throw new GpuDeviceException("DMA " + e.getMessage(), e);
        }
    }

    /// Maps memory; see [io.gpuvm.gf100.device.GpuDevice#mapDma(List, DmaRefusals)].
    public void map(List<DmaMapping> mappings, DmaRefusals refusals) {
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

    /// Unmaps memory; see [io.gpuvm.gf100.device.GpuDevice#unmapDma].
    public void unmap(long iova, long bytes) {
        files.unmap(iova, bytes);
    }

    /// Unmaps several ranges.
    public void unmap(List<DmaRange> ranges) {
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

    /// Returns the mapped files.
    public FileSpace files() {
        return files;
    }

    @Override
    public void close() {
        files.close();
    }
}
