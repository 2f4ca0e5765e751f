package io.gpuvm.gf100.isa;

/// Who sees earlier accesses before later ones; the code is the ordinal.
public enum MembarLevel {
    /// The block.
    CTA,
    /// The GPU.
    GL,
    /// Everybody.
    SYS;
}
