package io.gpuvm.vfio;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Description of one region of a device, from the kernel.
///
/// @param index number of the region
/// @param bytes length of the region; 0 if the device has no such region
/// @param fileOffset offset of the region in the device's file
/// @param mappable parts that can be mapped, ascending; other parts are accessed by read and write
record VfioRegion(int index, long bytes, long fileOffset, List<Area> mappable) {
    /// Part of a region.
    record Area(long offset, long bytes) {
        boolean contains(long start, long length) {
            return start >= offset && length <= bytes && start - offset <= bytes - length;
        }
    }

    /// `VFIO_PCI_CONFIG_REGION_INDEX`
    static final int CONFIG = 7;

    // struct vfio_region_info and the capabilities after it
    private static final int INFO_BYTES = 32;
    private static final int INFO_INDEX_CAP_OFFSET = 12;
    private static final int INFO_SIZE = 16;
    private static final int INFO_OFFSET = 24;
    private static final int FLAG_MMAP = 1 << 2;
    private static final int FLAG_CAPS = 1 << 3;
    private static final int CAP_SPARSE_MMAP = 1;
    private static final int AREAS = 8;

    static VfioRegion of(KernelFile device, int index) {
        InfoBlock info =
                InfoBlock.ask(
                        device,
                        VfioIoctl.VFIO_DEVICE_GET_REGION_INFO,
                        INFO_BYTES,
                        index,
                        FLAG_CAPS,
                        INFO_INDEX_CAP_OFFSET);
        long bytes = info.quad(INFO_SIZE);
        return new VfioRegion(index, bytes, info.quad(INFO_OFFSET), mappable(info, bytes));
    }

    /// Returns whether a part can be mapped as a whole.
    boolean isMappable(long offset, long length) {
        return mappable.stream().anyMatch(area -> area.contains(offset, length));
    }

    private static List<Area> mappable(InfoBlock info, long bytes) {
        if ((info.flags() & FLAG_MMAP) == 0) {
            return List.of();
        }
        OptionalInt sparse = info.capability(CAP_SPARSE_MMAP);
        if (sparse.isEmpty()) {
            return List.of(new Area(0, bytes));
        }
        int data = sparse.getAsInt() + InfoBlock.CAPABILITY_DATA;
        List<Area> areas = new ArrayList<>();
        for (int i = 0; i < info.word(data); i++) {
            int area = data + AREAS + i * 2 * Long.BYTES;
            areas.add(new Area(info.quad(area), info.quad(area + Long.BYTES)));
        }
        return List.copyOf(areas);
    }
}
