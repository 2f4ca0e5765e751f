package io.gpuvm.pv.transport;

/// The two ranges of addresses at which a kernel's generic loads and stores find shared and local
/// memory instead of the address space. A transport puts no memory there.
///
/// Where they are is up to the driver; these are gdev's places (`gdev_nvidia_nvc0.c`). They are
/// below 4 GiB because the windows are, and aligned to their size.
public final class GenericWindows {
    /// Bytes of each window.
    public static final int BYTES = 1 << 24;

    /// Where shared memory starts.
    public static final int SHARED = 14 * BYTES;

    /// Where local memory starts.
    public static final int LOCAL = 15 * BYTES;

    private GenericWindows() {}
}
