package io.gpuvm.gf100.isa;

/// What an atomic operation does to memory; the code is the ordinal.
public enum AtomicOp {
    ADD,
    MIN,
    MAX,
    /// One more, or 0 if the old value is at least the operand.
    INC,
    /// One less, or the operand if the old value is 0 or above the operand.
    DEC,
    AND,
    OR,
    XOR,
    EXCH,
    CAS;
}
