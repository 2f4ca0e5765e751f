package io.gpuvm.gf100.isa;

/// Operation of CCTL on a cache line; the code is the ordinal.
public enum CacheControl {
    /// Queries whether the line is cached.
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
