package io.gpuvm.softgpu.sm;

/// One of the 18 constant banks of a launch.
///
/// @param isBound whether the bank has memory; a read from an unbound bank is an error
/// @param gpuVa start of the memory
/// @param bytes length of the memory, at most 64 KiB
public record ConstantBank(boolean isBound, long gpuVa, int bytes) {
    /// Number of banks.
    public static final int COUNT = 18;

    /// Bank without memory.
    public static final ConstantBank UNBOUND = new ConstantBank(false, 0, 0);
}
