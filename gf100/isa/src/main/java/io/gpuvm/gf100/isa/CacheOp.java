package io.gpuvm.gf100.isa;

/// Which caches an access uses; the code is the ordinal. None of it changes what a single thread
/// sees.
public enum CacheOp {
    /// Loads: cache at all levels. Stores: write back.
    DEFAULT,
    /// Second level only.
    CG,
    /// Likely not used again; of local loads, last use.
    CS,
    /// Loads: fetch again, somebody else may have written. Stores: write through.
    CV_WT;
}
