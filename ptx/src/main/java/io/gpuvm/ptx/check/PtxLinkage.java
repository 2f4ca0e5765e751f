package io.gpuvm.ptx.check;

/// Visibility of a symbol to other modules.
public enum PtxLinkage {
    /// Visible in its module only.
    INTERNAL,
    VISIBLE,
    /// Defined in another module.
    EXTERN,
    /// Replaced by a definition of the same name that is not weak.
    WEAK,
    /// Allocated once for all modules that declare the name.
    COMMON
}
