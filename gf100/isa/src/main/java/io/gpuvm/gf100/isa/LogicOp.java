package io.gpuvm.gf100.isa;

/// Bitwise or Boolean operation; the code is the ordinal.
public enum LogicOp {
    AND,
    OR,
    XOR,
    /// The second operand.
    PASS_B;

    private static final LogicOp[] ALL = values();

    /// The one with that code; codes above the last are a programming error.
    public static LogicOp of(int code) {
        return ALL[code];
    }
}
