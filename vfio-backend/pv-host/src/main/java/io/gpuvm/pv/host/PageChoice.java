package io.gpuvm.pv.host;

/// Page sizes that a mapping may use.
enum PageChoice {
    /// Big pages wherever addresses and length allow.
    AUTO,
    /// Pages of 4 KiB only.
    SMALL,
    /// Pages of 128 KiB only.
    BIG
}
