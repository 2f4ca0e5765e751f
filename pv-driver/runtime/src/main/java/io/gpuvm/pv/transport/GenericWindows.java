package io.gpuvm.pv.transport;

/// Address ranges at which a kernel's generic loads and stores reach shared and local memory
/// instead of the address space. A transport maps no memory there.
///
/// The driver chooses the addresses; these are gdev's (`gdev_nvidia_nvc0.c`). They lie below 4 GiB,
/// as the GPU requires, and are aligned to their size.
public final class GenericWindows {
    /// Length of each window in bytes.
    public static final int BYTES = 1 << 24;

    /// Start address of shared memory.
    public static final int SHARED = 14 * BYTES;

    /// Start address of local memory.
    public static final int LOCAL = 15 * BYTES;

    private GenericWindows() {}
}
