package io.gpuvm.gf100.isa;

/// Direction of rounding; the code is the ordinal.
public enum Rounding {
    /// Rounding to nearest, ties to even.
    RN,
    /// Rounding towards minus infinity.
    RM,
    /// Rounding towards plus infinity.
    RP,
    /// Rounding towards zero.
    RZ;
}
