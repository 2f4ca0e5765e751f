package io.gpuvm.trap.vfiouser;

/// Limits that the server and its client agree on.
final class Limits {
    /// Bytes of data in one access, announced by VERSION as `max_data_xfer_size`.
    static final int TRANSFER_BYTES = 1 << 20;

    /// Bytes of the longest message: an access with the maximum of data.
    static final int MESSAGE_BYTES = MessageHeader.BYTES + RegionAccessBody.BYTES + TRANSFER_BYTES;

    /// Number of DMA ranges, announced by VERSION as `max_dma_maps`. QEMU has a few hundred ranges,
    /// a few thousand with an IOMMU in the guest; each costs this process a few hundred bytes of
    /// heap.
    static final int DMA_RANGES = 20_480;

    /// Number of different files behind the DMA ranges. QEMU has one per block of guest RAM; each
    /// costs this process a descriptor that is then unavailable to other guests.
    static final int DMA_FILES = 128;

    /// Bytes in one DMA range (8 TiB).
    static final long DMA_RANGE_BYTES = 1L << 43;

    /// Granularity of guest memory, announced by VERSION as `pgsizes`.
    static final long PAGE_BYTES = 4096;

    private Limits() {}
}
