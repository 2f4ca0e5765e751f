package io.gpuvm.trap.vfiouser;

/// Limits on the messages and the memory of a client.
final class Limits {
    /// Maximum number of data bytes in an access, announced by VERSION as `max_data_xfer_size`.
    static final int TRANSFER_BYTES = 1 << 20;

    /// Maximum length of a message: an access with the maximum number of data bytes.
    static final int MESSAGE_BYTES = MessageHeader.BYTES + RegionAccessBody.BYTES + TRANSFER_BYTES;

    /// Maximum number of DMA ranges, announced by VERSION as `max_dma_maps`. QEMU maps a few
    /// hundred ranges, or a few thousand for a guest with an IOMMU; each costs this process a few
    /// hundred bytes of heap.
    static final int DMA_RANGES = 20_480;

    /// Maximum number of different files that contain DMA ranges. QEMU uses one file per block of
    /// guest RAM; each file costs this process a descriptor, which is then unavailable to other
    /// guests.
    static final int DMA_FILES = 128;

    /// Maximum length of a DMA range, 8 TiB.
    static final long DMA_RANGE_BYTES = 1L << 43;

    /// Granularity of guest memory, announced by VERSION as `pgsizes`.
    static final long PAGE_BYTES = 4096;

    private Limits() {}
}
