package io.gpuvm.gf100.isa;

/// Condition of a comparison; the code is the ordinal. The conditions from [#LTU] to [#GEU] are
/// true if an operand is NaN.
public enum Comparison {
    F,
    LT,
    EQ,
    LE,
    GT,
    NE,
    GE,
    /// Neither operand is NaN.
    NUM,
    /// At least one operand is NaN.
    NAN,
    LTU,
    EQU,
    LEU,
    GTU,
    NEU,
    GEU,
    T;
}
