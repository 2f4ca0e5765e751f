package io.gpuvm.gf100.isa;

/// Operation of CCTL on a cache line; the code is the ordinal.
public enum CacheControl {
    /// Queries whether the line is cached.
    QRY1,
    /// Prefetches the line.
    PF1,
    /// Prefetches the line into the second level.
    PF1_5,
    /// Prefetches the line into the second level.
    PF2,
    /// Writes the line back.
    WB,
    /// Drops the line.
    IV,
    /// Drops all lines.
    IVALL,
    /// Resets the cache.
    RS;
}
