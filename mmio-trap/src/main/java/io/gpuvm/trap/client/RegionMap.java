package io.gpuvm.trap.client;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.MappedMemory;
import java.util.List;

/// Region of a device, as a server describes it.
///
/// @param bytes length of the region
/// @param file file that contains the areas, or null if the region has no areas
/// @param fileOffset start of the region (not of its first area) in the file
/// @param areas parts that may be mapped
public record RegionMap(long bytes, Descriptor file, long fileOffset, List<Area> areas)
        implements AutoCloseable {
    public RegionMap {
        areas = List.copyOf(areas);
    }

    /// Part of a region.
    ///
    /// @param offset start in the region
    public record Area(long offset, long bytes) {}

    /// Maps an area for reading and writing; the mapping remains valid after [#close()].
    ///
    /// @param area element of [#areas]
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
