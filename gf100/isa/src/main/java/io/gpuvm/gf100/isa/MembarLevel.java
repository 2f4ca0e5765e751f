package io.gpuvm.gf100.isa;

/// Scope in which earlier accesses become visible before later accesses; the code is the ordinal.
public enum MembarLevel {
    /// The block.
    CTA,
    /// The GPU.
    GL,
    /// The whole system.
    SYS;
}
