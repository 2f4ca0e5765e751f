package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.ArrayList;
import java.util.List;

/// Division of the bus addresses: the highest addresses that both the GPU and the IOMMU can use are
/// reserved for page tables of the BARs; all other addresses are free.
///
/// @param free free ranges, ascending
/// @param reserved range for the page tables of the BARs
record IovaPlan(List<IovaRange> free, IovaRange reserved) {
    /// Highest address at which the GPU can access system memory.
    private static final long GPU_LIMIT = (1L << TableGeometry.VA_BITS) - 1;

    /// Length of the reserved range, more than the tables of both BARs need for any size of a
    /// GF100's BARs.
    private static final long RESERVED_BYTES = 16L << 20;

    /// @param usable ranges that neither the IOMMU nor the platform reserves, ascending
    /// @throws GpuDeviceException if no usable range has room for the reserved range
    static IovaPlan of(List<IovaRange> usable) {
        List<IovaRange> free = new ArrayList<>();
        for (IovaRange range : usable) {
            if (range.first() <= GPU_LIMIT) {
                free.add(new IovaRange(range.first(), Math.min(range.last(), GPU_LIMIT)));
            }
        }
        for (int i = free.size() - 1; i >= 0; i--) {
            IovaRange range = free.get(i);
            long first = range.last() - RESERVED_BYTES + 1;
            if (first > range.first()) {
                free.set(i, new IovaRange(range.first(), first - 1));
                return new IovaPlan(List.copyOf(free), new IovaRange(first, range.last()));
            }
        }
        throw new GpuDeviceException(
                "reserved bytes=%#x, expected a range of this length within %s"
                        .formatted(RESERVED_BYTES, usable));
    }
}
