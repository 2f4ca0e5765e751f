package io.gpuvm.gf100.isa;

/// Interpretation of PRMT's selector; the code is the ordinal. Source: the PTX manual's `prmt`.
public enum PermuteMode {
    /// Four selectors of four bits, in the operand.
    IDX,
    /// Four bytes from byte n of the pair, upwards.
    F4E,
    /// Four bytes from byte n of the pair, downwards.
    B4E,
    /// Byte n four times.
    RC8,
    /// Edge clamped to the left.
    ECL,
    /// Edge clamped to the right.
    ECR,
    /// Half n twice.
    RC16;
}
