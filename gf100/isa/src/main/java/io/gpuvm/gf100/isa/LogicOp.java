package io.gpuvm.gf100.isa;

/// Bitwise or Boolean operation; the code is the ordinal.
public enum LogicOp {
    AND,
    OR,
    XOR,
    /// Selects the second operand.
    PASS_B;
}
