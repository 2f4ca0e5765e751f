package io.gpuvm.gf100.isa;

/// Function of the multi-function unit; the code is the ordinal.
public enum MufuFunction {
    COS,
    SIN,
    EX2,
    LG2,
    RCP,
    RSQ,
    /// Upper word of a first approximation of a double's reciprocal, from its upper word.
    RCP64H,
    /// Upper word of a first approximation of a double's reciprocal square root, from its upper
    /// word.
    RSQ64H;
}
