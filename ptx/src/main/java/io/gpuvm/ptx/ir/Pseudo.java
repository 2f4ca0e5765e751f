package io.gpuvm.ptx.ir;

/// Operations that are not machine instructions.
public enum Pseudo {
    /// Selects the operand of the predecessor from which control arrives.
    PHI,
    /// Copies a value of any kind.
    COPY,
    /// Combines words to a value of several words.
    COMBINE,
    /// Takes one word of a value.
    EXTRACT
}
