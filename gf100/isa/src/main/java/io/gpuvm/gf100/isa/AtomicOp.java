package io.gpuvm.gf100.isa;

/// Effect of an atomic operation on memory; the code is the ordinal.
public enum AtomicOp {
    ADD,
    MIN,
    MAX,
    /// Adds 1, or stores 0 if the old value is at least the operand.
    INC,
    /// Subtracts 1, or stores the operand if the old value is 0 or above the operand.
    DEC,
    AND,
    OR,
    XOR,
    EXCH,
    CAS;
}
