package io.gpuvm.trap.vfiouser;

/// Numbers that the server and its client agree on.
final class Limits {
    /// Bytes of data in one access; what VERSION announces as `max_data_xfer_size`.
    static final int TRANSFER_BYTES = 1 << 20;

    /// The longest message: an access with all the data it may have.
    static final int MESSAGE_BYTES = MessageHeader.BYTES + RegionAccessBody.BYTES + TRANSFER_BYTES;

    /// DMA ranges; what VERSION announces as `max_dma_maps`. QEMU has some hundred of them, some
    /// thousand with an IOMMU in the guest; each costs this process some hundred bytes of its heap.
    static final int DMA_RANGES = 20_480;

    /// Different files behind the DMA ranges. QEMU has one per block of guest RAM; each costs this
    /// process a descriptor that other guests then cannot have.
    static final int DMA_FILES = 128;

    /// Bytes in one DMA range (8 TiB).
    static final long DMA_RANGE_BYTES = 1L << 43;

    /// Granularity of guest memory; what VERSION announces as `pgsizes`.
    static final long PAGE_BYTES = 4096;

    private Limits() {}
}
