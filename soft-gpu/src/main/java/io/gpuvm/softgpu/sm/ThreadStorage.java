package io.gpuvm.softgpu.sm;

/// Resources of a launch's blocks, warps and threads. The creator has checked them.
///
/// @param registers number of general registers of a thread, at most 63 (method 0x2c0)
/// @param barriers number of barriers of a block, at most 16 (method 0x254)
/// @param sharedBytes shared memory of a block, at most 48 KiB (method 0x24c)
/// @param localPositiveBytes local memory of a thread from local address 0 (method 0x204)
/// @param localNegativeBytes local memory of a thread that ends with the local window (method
///   0x208)
/// @param callStackBytes stack of a warp, in addition to its built-in entries (method 0x20c)
public record ThreadStorage(
        int registers,
        int barriers,
        int sharedBytes,
        int localPositiveBytes,
        int localNegativeBytes,
        int callStackBytes) {}
