package io.gpuvm.gf100.isa;

/// Scope in which earlier accesses are visible before later ones; the code is the ordinal.
public enum MembarLevel {
    /// The block.
    CTA,
    /// The GPU.
    GL,
    /// The whole system.
    SYS;
}
