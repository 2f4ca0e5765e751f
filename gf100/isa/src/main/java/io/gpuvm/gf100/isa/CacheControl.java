package io.gpuvm.gf100.isa;

/// What CCTL does with a line; the code is the ordinal.
public enum CacheControl {
    /// Is it there?
    QRY1,
    /// Prefetch.
    PF1,
    /// Prefetch into the second level.
    PF1_5,
    /// Prefetch into the second level.
    PF2,
    /// Write back.
    WB,
    /// Drop.
    IV,
    /// Drop all.
    IVALL,
    /// Reset.
    RS;
}
