package io.gpuvm.softgpu.sm;

/// One of the 18 constant banks of a launch.
///
/// @param isBound whether there is memory; a read from a bank that is not bound is an error
/// @param gpuVa where it starts
/// @param bytes its length, at most 64 KiB
public record ConstantBank(boolean isBound, long gpuVa, int bytes) {
    /// How many there are.
    public static final int COUNT = 18;

    /// A bank without memory.
    public static final ConstantBank UNBOUND = new ConstantBank(false, 0, 0);
}
