package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// IOMMU address space: the memory that the devices of the container's groups can reach.
///
/// Confined to one thread.
final class VfioContainer implements Iommu, AutoCloseable {
    static final String PATH = "/dev/vfio/vfio";

    private static final int API_VERSION = 0;
    private static final int TYPE1V2_IOMMU = 3;

    // struct vfio_iommu_type1_info and the capabilities after it
    private static final int INFO_BYTES = 24;
    private static final int INFO_CAPS = 1 << 1;
    private static final int INFO_CAP_OFFSET = 16;
    private static final int CAP_IOVA_RANGE = 1;
    private static final int RANGES = 8;

    private final KernelFile file;
    private final HostLimits limits = new HostLimits(Path.of("/"));

    private VfioContainer(KernelFile file) {
        this.file = file;
    }

    /// Opens a container without groups.
    ///
    /// @throws GpuDeviceException if the kernel has no VFIO, or another version of VFIO
    static VfioContainer open(TakingCheck check) {
        KernelFile file = check.openFile(PATH);
        try {
            int version = file.call(VfioIoctl.VFIO_GET_API_VERSION, 0);
            if (version != API_VERSION) {
                throw new GpuDeviceException(
                        "%s: API version=%d, expected=%d".formatted(PATH, version, API_VERSION));
            }
            if (file.call(VfioIoctl.VFIO_CHECK_EXTENSION, TYPE1V2_IOMMU) == 0) {
                throw new GpuDeviceException(
                        PATH
                                + ": no type 1 IOMMU, version 2: load the module vfio_iommu_type1"
                                + " (modprobe vfio_iommu_type1)");
            }
            return new VfioContainer(file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    int descriptor() {
        return file.descriptor();
    }

    /// Sets the type of the IOMMU; at least one group must have joined the container.
    void startIommu() {
        file.call(VfioIoctl.VFIO_SET_IOMMU, TYPE1V2_IOMMU);
    }

    /// Returns the addresses that the IOMMU and the platform leave to the process, ascending.
    List<IovaRange> iovaRanges() {
        InfoBlock info =
                InfoBlock.ask(
                        file,
                        VfioIoctl.VFIO_IOMMU_GET_INFO,
                        INFO_BYTES,
                        0,
                        INFO_CAPS,
                        INFO_CAP_OFFSET);
        OptionalInt capability = info.capability(CAP_IOVA_RANGE);
        if (capability.isEmpty()) {
            throw new GpuDeviceException(
                    PATH
                            + ": the kernel does not report the usable IOVAs; Linux 5.4 or newer is required");
        }
        int data = capability.getAsInt() + InfoBlock.CAPABILITY_DATA;
        List<IovaRange> ranges = new ArrayList<>();
        for (int i = 0; i < info.word(data); i++) {
            int range = data + RANGES + i * 2 * Long.BYTES;
            // A GF100 has no addresses above 2^63, so a negative end means the end of the address
            // space.
            long last = info.quad(range + Long.BYTES);
            ranges.add(new IovaRange(info.quad(range), last < 0 ? Long.MAX_VALUE : last));
        }
        return List.copyOf(ranges);
    }

    /// Maps and pins the memory; the kernel uses large IOMMU pages for contiguous pages.
    @Override
    public void map(long address, long iova, long bytes, boolean writable) {
        Structs.DmaMap map = new Structs.DmaMap();
        map.fillSize();
        map.flags = Structs.DmaMap.READ | (writable ? Structs.DmaMap.WRITE : 0);
        map.vaddr = address;
        map.iova = iova;
        map.size = bytes;
        try {
            file.call(VfioIoctl.VFIO_IOMMU_MAP_DMA, map);
        } catch (VfioException e) {
            throw new GpuDeviceException(
                    "DMA iova=%#x bytes=%#x: %s%s"
                            .formatted(
                                    iova, bytes, e.getMessage(), limits.explain(e.errno(), bytes)),
                    e);
        }
    }

    @Override
    public void unmap(long iova, long bytes) {
        Structs.DmaUnmap unmap = new Structs.DmaUnmap();
        unmap.fillSize();
        unmap.iova = iova;
        unmap.size = bytes;
        file.call(VfioIoctl.VFIO_IOMMU_UNMAP_DMA, unmap);
        // The kernel reports no error if nothing was mapped: only the returned size shows it.
        if (unmap.size != bytes) {
            throw new GpuDeviceException(
                    "DMA unmap iova=%#x bytes=%#x: the kernel unmapped %#x bytes"
                            .formatted(iova, bytes, unmap.size));
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
