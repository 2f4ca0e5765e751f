package io.gpuvm.gf100.isa;

/// What a comparison asks; the code is the ordinal. From [#LTU] to [#GEU], true if an operand is
/// NaN.
public enum Comparison {
    F,
    LT,
    EQ,
    LE,
    GT,
    NE,
    GE,
    /// Neither is NaN.
    NUM,
    /// One is NaN.
    NAN,
    LTU,
    EQU,
    LEU,
    GTU,
    NEU,
    GEU,
    T;
}
