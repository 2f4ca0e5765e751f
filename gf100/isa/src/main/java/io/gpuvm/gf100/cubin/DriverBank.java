package io.gpuvm.gf100.cubin;

/// Byte offsets of the 32-bit words that a launch writes to [ConstantSection#DRIVER], before
/// [ConstantSection#PARAMETERS], for code that NVIDIA's compiler generated for sm_20.
///
/// Sources: gdev `gdev_nvidia_compute.c`; `nvdisasm` of kernels that read these words.
public final class DriverBank {
    /// Generic address of shared memory.
    public static final int SHARED_WINDOW = 0x00;

    /// Generic address of local memory.
    public static final int LOCAL_WINDOW = 0x04;

    /// Number of threads of a block: x, y, z.
    public static final int BLOCK = 0x08;

    /// Number of blocks: x, y, z.
    public static final int GRID = 0x14;

    private DriverBank() {}
}
