package io.gpuvm.gf100.isa;

/// Caching of an access; the code is the ordinal. The choice does not change the values that a
/// single thread sees.
public enum CacheOp {
    /// Loads are cached at all levels; stores are written back.
    DEFAULT,
    /// Data is cached in the second level only.
    CG,
    /// The line is unlikely to be used again; for local loads, this is the last use.
    CS,
    /// Loads fetch again, because another agent may have written; stores are written through.
    CV_WT;
}
