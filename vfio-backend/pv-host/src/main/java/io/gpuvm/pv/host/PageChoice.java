package io.gpuvm.pv.host;

/// Which pages a mapping is made of.
enum PageChoice {
    /// Big ones where addresses allow it.
    AUTO,
    /// 4 KiB only.
    SMALL,
    /// 128 KiB only.
    BIG
}
