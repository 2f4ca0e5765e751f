package io.gpuvm.gf100.isa;

/// Source of an operand that has several encodings.
public enum OperandKind {
    /// The form has no such operand.
    NONE,
    /// A general register, or the first of a pair.
    REGISTER,
    /// A word, or an aligned pair of words, of a constant bank at a fixed offset.
    CONSTANT,
    /// A number in the instruction.
    IMMEDIATE
}
