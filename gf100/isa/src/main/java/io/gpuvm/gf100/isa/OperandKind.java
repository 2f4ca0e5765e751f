package io.gpuvm.gf100.isa;

/// Source of an operand that has several encodings.
public enum OperandKind {
    /// The form has no such operand.
    NONE,
    /// General register, or the first of a pair.
    REGISTER,
    /// Word, or aligned pair of words, of a constant bank at a fixed offset.
    CONSTANT,
    /// Number in the instruction.
    IMMEDIATE
}
