package io.gpuvm.trap.client;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.MappedMemory;
import java.util.List;

/// What a server says of a region.
///
/// @param bytes its length
/// @param file the memory behind its areas, null if there are none
/// @param fileOffset where in the file the region (not its first area) begins
/// @param areas the parts that may be mapped
public record RegionMap(long bytes, Descriptor file, long fileOffset, List<Area> areas)
        implements AutoCloseable {
    public RegionMap {
        areas = List.copyOf(areas);
    }

    /// A part of a region.
    ///
    /// @param offset where it begins in the region
    public record Area(long offset, long bytes) {}

    /// Maps an area to read and write; the mapping does not need the file any more.
    ///
    /// @param area one of [#areas]
    public MappedMemory map(Area area) {
        return MappedMemory.map(
                file.number(),
                fileOffset + area.offset(),
                area.bytes(),
                MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
