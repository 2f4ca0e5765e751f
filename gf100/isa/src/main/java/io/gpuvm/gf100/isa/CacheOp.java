package io.gpuvm.gf100.isa;

/// Caches that an access uses; the code is the ordinal. No operation changes the values that a
/// single thread sees.
public enum CacheOp {
    /// Loads: cache at all levels. Stores: write back.
    DEFAULT,
    /// Second level only.
    CG,
    /// Likely not used again; of local loads: last use.
    CS,
    /// Loads: fetch again, because another agent may have written. Stores: write through.
    CV_WT;
}
