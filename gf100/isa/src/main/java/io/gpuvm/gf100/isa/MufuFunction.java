package io.gpuvm.gf100.isa;

/// Function of the multi-function unit; the code is the ordinal.
public enum MufuFunction {
    COS,
    SIN,
    EX2,
    LG2,
    RCP,
    RSQ,
    /// Upper word of an initial approximation of a double's reciprocal, from the double's upper
    /// word.
    RCP64H,
    /// Upper word of an initial approximation of a double's reciprocal square root, from the
    /// double's upper word.
    RSQ64H;
}
