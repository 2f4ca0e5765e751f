package io.gpuvm.gf100.isa;

/// Direction of rounding; the code is the ordinal.
public enum Rounding {
    /// To nearest, ties to even.
    RN,
    /// Towards minus infinity.
    RM,
    /// Towards plus infinity.
    RP,
    /// Towards zero.
    RZ;
}
