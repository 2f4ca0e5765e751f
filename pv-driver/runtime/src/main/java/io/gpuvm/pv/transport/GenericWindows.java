package io.gpuvm.pv.transport;

/// Address ranges at which a kernel's generic loads and stores reach shared and local memory
/// instead of the address space. A transport maps no memory there.
///
/// The driver chooses the addresses; these are Mesa's (`nvc0_compute.c`). They lie below 4 GiB, as
/// the GPU requires, are aligned to their size, and are the highest such addresses: Linux's nouveau
/// allocates addresses from the lowest upwards, so they rarely lie in the windows.
public final class GenericWindows {
    /// Length of each window in bytes.
    public static final long BYTES = 1 << 24;

    /// Start address of the window of shared memory.
    public static final long SHARED = 0xfe * BYTES;

    /// Start address of the window of local memory, directly after the window of shared memory.
    public static final long LOCAL = 0xff * BYTES;

    private GenericWindows() {}

    /// Returns whether an address range overlaps a window.
    public static boolean overlap(long gpuVa, long bytes) {
        return gpuVa < LOCAL + BYTES && gpuVa + bytes > SHARED;
    }
}
