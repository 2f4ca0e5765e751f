package io.gpuvm.ptx.check;

/// Conditions of a check.
///
/// @param gpu number of the GPU, for instance 20 for `sm_20`
/// @param addressBits width of addresses in a module that does not declare it: 32 or 64
public record CheckOptions(int gpu, int addressBits) {
    /// Options for a program with 64-bit addresses on sm_20.
    public static final CheckOptions DEFAULT = new CheckOptions(20, Long.SIZE);
}
