package io.gpuvm.trap.vfiouser;

import java.util.List;

/// Region of a device in a client's view.
///
/// @param bytes length, 0 if the device does not have this region
/// @param writable whether writes are allowed; reads are always allowed
/// @param descriptor shared memory that contains the areas, or -1 if the region has no areas
/// @param fileOffset start of the region (not of its first area) in the shared memory
/// @param areas parts of the region that the client may map instead of sending messages; if any
///   region has areas, QEMU waits for the reply to every write, in all regions
public record Region(
        long bytes, boolean writable, int descriptor, long fileOffset, List<Area> areas) {
    /// Region that the device does not have.
    public static final Region ABSENT = new Region(0, false, -1, 0, List.of());

    private static final long PAGE_BYTES = 4096;

    public Region {
        areas = List.copyOf(areas);
        if (areas.isEmpty() != (descriptor < 0)) {
            throw new IllegalArgumentException(
                    "areas=%d descriptor=%d, expected both or none"
                            .formatted(areas.size(), descriptor));
        }
        for (Area area : areas) {
            if ((area.offset | area.bytes | fileOffset) % PAGE_BYTES != 0
                    || area.offset < 0
                    || area.bytes <= 0
                    || area.bytes > bytes - area.offset) {
                throw new IllegalArgumentException(
                        "%s, expected whole pages in a region of %#x bytes".formatted(area, bytes));
            }
        }
    }

    /// Returns a region without areas: every access is a message.
    public static Region trapped(long bytes, boolean writable) {
        return bytes == 0 ? ABSENT : new Region(bytes, writable, -1, 0, List.of());
    }

    /// Part of a region.
    ///
    /// @param offset start in the region, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    public record Area(long offset, long bytes) {}
}
