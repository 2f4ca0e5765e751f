package io.gpuvm.vfio;

/// Ioctls of VFIO that this package uses, under the kernel's names.
enum VfioIoctl {
    VFIO_GET_API_VERSION(0),
    VFIO_CHECK_EXTENSION(1),
    VFIO_SET_IOMMU(2),
    VFIO_GROUP_GET_STATUS(3),
    VFIO_GROUP_SET_CONTAINER(4),
    VFIO_GROUP_GET_DEVICE_FD(6),
    VFIO_DEVICE_GET_INFO(7),
    VFIO_DEVICE_GET_REGION_INFO(8),
    VFIO_DEVICE_GET_IRQ_INFO(9),
    VFIO_DEVICE_SET_IRQS(10),
    VFIO_DEVICE_RESET(11),
    VFIO_IOMMU_GET_INFO(12),
    VFIO_IOMMU_MAP_DMA(13),
    VFIO_IOMMU_UNMAP_DMA(14);

    /// `VFIO_TYPE`, the type in the request codes.
    private static final int TYPE = ';';

    /// `VFIO_BASE`, the number of the first request.
    private static final int BASE = 100;

    private final int index;

    VfioIoctl(int index) {
        this.index = index;
    }

    /// Returns the request code, as `_IO()` computes it.
    long number() {
        return TYPE << Byte.SIZE | BASE + index;
    }
}
